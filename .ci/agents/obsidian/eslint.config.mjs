import obsidianmd from 'eslint-plugin-obsidianmd';

export default [
	...obsidianmd.configs.recommended,
	{ ignores: ['main.js'] }, // made of main.ts
	{ files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: true } } },
];
