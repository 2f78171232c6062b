package recall

import (
	"slices"
	"testing"
)

// asked is a question and the note that answers it.
type asked struct{ question, note string }

var japanese = map[string]string{
	"ja/焙煎.md":   "# 焙煎\n\n浅煎りは二百度で十分ほど焼く。深煎りは二百二十度まで上げる。\n\n焼いた豆は二日休ませてから袋に詰める。\n",
	"ja/水道.md":   "# 水道の修理\n\n台所の蛇口から水が漏れたので、パッキンを交換した。\n\n元栓は玄関の外にある。\n",
	"ja/会議.md":   "# 四月の会議\n\n倉庫の家賃を値下げしてもらうことに決めた。次の会議は五月九日。\n\n欠席は川村だけ。\n",
	"ja/自転車.md":  "# 自転車\n\nタイヤの空気圧は六気圧にする。チェーンには月に一度油を差す。\n",
	"ja/旅行.md":   "# 京都旅行\n\n宿は駅の北側の旅館に二泊する。予約番号は手帳に書いた。\n\n新幹線の切符は母が買う。\n",
	"ja/保存.md":   "# バックアップ\n\n毎晩サーバーに保存し、三十日後に古いものを削除する。\n",
	"ja/猫.md":    "# 猫の世話\n\n餌は朝と夕方の二回。薬は食事に混ぜて飲ませる。\n",
	"ja/植物.md":   "# 鉢植え\n\n朝顔の種は五月に蒔く。水やりは土が乾いてから。\n",
	"ja/パスタ.md":  "# パスタ\n\n麺は塩を入れた湯で八分茹でる。ソースはトマトと大蒜。\n",
	"ja/読書.md":   "# 読書\n\n図書館の本は二週間で返却する。延長は一度だけできる。\n",
	"ja/健康.md":   "# 健康診断\n\n診断の前日は九時以降何も食べない。結果は郵便で届く。\n",
	"ja/引っ越し.md": "# 引っ越し\n\n新しい部屋の鍵は不動産屋で受け取る。電気の契約は前もって変更する。\n",
}

var chinese = map[string]string{
	"zh/烘焙.md": "# 咖啡烘焙\n\n浅烘需要在两百度烘十分钟。烘好的豆子要静置两天才能装袋。\n",
	"zh/水管.md": "# 修理水管\n\n厨房的水龙头漏水，已经更换了垫圈。总阀门在大门外面。\n",
	"zh/会议.md": "# 四月会议\n\n我们决定请房东降低仓库的租金。下次会议是五月九日。\n",
	"zh/单车.md": "# 自行车\n\n轮胎的气压是六个大气压。链条每个月上一次油。\n",
	"zh/旅行.md": "# 北京旅行\n\n住在车站北边的旅馆，一共两晚。火车票由妈妈购买。\n",
	"zh/备份.md": "# 数据备份\n\n每天晚上保存到服务器，三十天以后删除旧的备份。\n",
	"zh/猫.md":  "# 照顾猫\n\n早上和傍晚各喂一次。药要混在食物里。\n",
	"zh/植物.md": "# 盆栽\n\n牵牛花的种子五月播种。土干了再浇水。\n",
	"zh/面条.md": "# 意大利面\n\n面条在盐水里煮八分钟。酱汁用番茄和大蒜。\n",
	"zh/读书.md": "# 图书馆\n\n借的书两个星期以内归还，只能续借一次。\n",
	"zh/健康.md": "# 体检\n\n体检前一天九点以后不能吃东西。结果会寄到家里。\n",
	"zh/搬家.md": "# 搬家\n\n新房子的钥匙在中介公司领取。电费合同要提前变更。\n",
}

var japaneseQuestions = []asked{
	{"浅煎りは何度で焼きますか？", "ja/焙煎.md"}, {"豆は何日休ませる？", "ja/焙煎.md"}, {"水が漏れたときの元栓はどこ？", "ja/水道.md"},
	{"倉庫の家賃について何を決めましたか", "ja/会議.md"}, {"次の会議はいつですか", "ja/会議.md"}, {"タイヤの空気圧はいくつ？", "ja/自転車.md"},
	{"切符は誰が買うの？", "ja/旅行.md"}, {"バックアップはいつ削除される？", "ja/保存.md"}, {"猫の薬はどうやって飲ませる？", "ja/猫.md"},
	{"朝顔の種はいつ蒔きますか", "ja/植物.md"}, {"麺は何分茹でる", "ja/パスタ.md"}, {"図書館の本の返却はいつまで？", "ja/読書.md"},
	{"健康診断の結果はどう届く？", "ja/健康.md"}, {"部屋の鍵はどこで受け取りますか", "ja/引っ越し.md"},
}

var chineseQuestions = []asked{
	{"浅烘需要多少度？", "zh/烘焙.md"}, {"豆子要静置几天？", "zh/烘焙.md"}, {"总阀门在哪里？", "zh/水管.md"},
	{"关于仓库的租金我们决定了什么", "zh/会议.md"}, {"下次会议是什么时候", "zh/会议.md"}, {"轮胎的气压应该是多少？", "zh/单车.md"},
	{"火车票谁来买？", "zh/旅行.md"}, {"旧的备份什么时候删除？", "zh/备份.md"}, {"猫的药怎么喂？", "zh/猫.md"},
	{"牵牛花什么时候播种", "zh/植物.md"}, {"面条要煮几分钟", "zh/面条.md"}, {"图书馆的书可以续借几次？", "zh/读书.md"},
	{"体检的结果寄到哪里？", "zh/健康.md"}, {"新房子的钥匙去哪里拿", "zh/搬家.md"},
}

// Questions in scripts without spaces are answered by the right note, all of
// them among the first three and nearly all by the first.
func TestQuestionsWithoutSpaces(t *testing.T) {
	notes := make(map[string]string)
	for _, set := range []map[string]string{japanese, chinese} {
		for rel, text := range set {
			notes[rel] = text
		}
	}
	ix, _ := vault(t, notes)
	for name, set := range map[string][]asked{"Japanese": japaneseQuestions, "Chinese": chineseQuestions} {
		first := 0
		for _, a := range set {
			var found []string
			for _, p := range search(t, ix, a.question) {
				if found = append(found, p.Note); len(found) == 3 {
					break
				}
			}
			switch slices.Index(found, a.note) {
			case -1:
				t.Errorf("%s: found %v, want %s", a.question, found, a.note)
			case 0:
				first++
			default:
				t.Logf("%s: found %v, want %s first", a.question, found, a.note)
			}
		}
		t.Logf("%s: %d of %d by the first note", name, first, len(set))
		if first < len(set)-2 {
			t.Errorf("%s: only %d of %d by the first note", name, first, len(set))
		}
	}
}
