-- Reads answers as Pandoc does, and names what of them is none of what an answer may have. The answers stand in the file that
-- ANSWERS names, with U+001E between them. Run as a filter of an empty document: it reads them itself, and says which it is at.
local tags = {}
for tag in ("abbr span b i em strong u s sub sup kbd mark del ins small br"):gmatch("%S+") do tags[tag] = true end
local orders = { "input", "include", "write", "openin", "openout", "directlua", "latelua", "csname", "href", "includegraphics", "usepackage",
  "def", "newcommand", "catcode", "special", "immediate", "verbatiminput", "lstinputlisting", "attachfile" }

local function acts_in_tex(text)
  text = text:gsub("\\\\", "  ") -- the end of a line
  for _, order in ipairs(orders) do
    if text:find("\\" .. order .. "%f[^%a]") then return "TeX \\" .. order end
  end
  return text:find("%^%^%x%x") and "TeX ^^" or nil
end

local function leads_out(target)
  local scheme = target:lower():match("^%s*(%a[%w+.-]*):")
  if scheme then return not (scheme == "http" or scheme == "https" or scheme == "mailto") end
  return target:find("^%s*[/\\][/\\]") ~= nil
end

local function judge(doc)
  local found = {}
  local function add(what) found[#found + 1] = what end
  local function attributes(kind)
    return function(el)
      if el.identifier and el.identifier ~= "" and el.t ~= "Header" then add(kind .. " #" .. el.identifier) end
      -- HTML has no name of one letter, and formulas have
      for k, v in pairs(el.attributes or {}) do if k ~= "startFrom" and #k > 1 then add(kind .. " " .. k .. "=" .. v) end end
    end
  end
  local function raw(el)
    if el.format == "html" then
      local tag = el.text:match("^</?(%a+) ?/?>$")
      if not (tag and tags[tag:lower()]) and not el.text:match("^<!%-%- /?agent%-response %-%->") then add("HTML " .. el.text) end
    elseif el.format == "tex" or el.format == "latex" then
      local what = acts_in_tex(el.text)
      if what then add(what .. " in " .. el.text) end
    else
      add("raw " .. el.format)
    end
  end
  doc:walk({
    RawInline = raw, RawBlock = raw,
    Div = function(el) add("container " .. table.concat(el.classes, " ")) end,
    Span = function(el)
      -- :warning: is one whose name stands in it: https://pandoc.org/MANUAL.html#extension-emoji
      if #el.classes == 1 and el.classes[1] == "emoji" then el.classes, el.attributes["data-emoji"] = {}, nil end
      if #el.classes > 0 then add("span " .. table.concat(el.classes, " ")) end
      attributes("span")(el)
    end,
    Link = function(el) if leads_out(el.target) then add("link " .. el.target) end; attributes("link")(el) end,
    Image = function(el) if el.src:match("^%s*%a[%w+.-]*:") or el.src:match("^%s*[/\\][/\\]") then add("picture " .. el.src) end; attributes("picture")(el) end,
    Code = function(el) if #el.classes > 0 then add("code " .. table.concat(el.classes, " ")) end; attributes("code")(el) end,
    CodeBlock = attributes("block"), Header = attributes("heading"),
    Math = function(el) local what = acts_in_tex(el.text); if what then add(what .. " in a formula") end end,
  })
  return found
end

function Pandoc()
  local file = assert(io.open(os.getenv("ANSWERS"), "rb"))
  local all, n = file:read("a"), 0
  for answer in (all .. "\30"):gmatch("([^\30]*)\30") do
    io.stderr:write("at ", n, "\n")
    n = n + 1
    for _, format in ipairs({ "markdown", "commonmark_x" }) do
      local ok, doc = pcall(pandoc.read, answer, format)
      local found = ok and judge(doc) or { "it cannot be read" }
      if #found > 0 then
        io.stderr:write("acts in ", format, ": ", (table.concat(found, "; "):gsub("\n", " ")), "  ", (("%q"):format(answer):gsub("\n", "n")), "\n")
        break
      end
    end
  end
  return pandoc.Pandoc({})
end
