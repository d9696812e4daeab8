#include "retarget/name_words.h"

#include <cctype>

#include "gvbind/base/utf8.h"

namespace gvbind::retarget {
namespace {

struct Translation {
  std::string_view from, to;
};

/// Longer words stand before those that they contain.
constexpr Translation whole_words[] = {
    // Japanese, as in MikuMikuDance, and Chinese
    {"足首", "ankle"},     {"手首", "wrist"},      {"左", "Left "},       {"右", "Right "},
    {"上半身2", "chest"},  {"上半身", "spine"},    {"下半身", "hips"},    {"腰", "hips"},
    {"臀", "hips"},        {"首", "neck"},         {"脖子", "neck"},      {"颈", "neck"},
    {"頭", "head"},        {"头", "head"},         {"肩", "shoulder"},    {"ひじ", "elbow"},
    {"肘", "elbow"},       {"前腕", "forearm"},    {"前臂", "forearm"},   {"小臂", "forearm"},
    {"大臂", "upper arm"}, {"上腕", "upper arm"},  {"上臂", "upper arm"}, {"腕捩", "arm twist"},
    {"腕", "arm"},         {"手捩", "hand twist"}, {"手", "hand"},        {"ひざ", "knee"},
    {"膝", "knee"},        {"小腿", "calf"},       {"大腿", "thigh"},     {"太もも", "thigh"},
    {"つま先", "toe"},     {"脚趾", "toe"},        {"足ＩＫ", "foot IK"}, {"足IK", "foot IK"},
    {"足", "leg"},         {"脚", "foot"},         {"胸", "chest"},       {"脊", "spine"},
    {"親指", "thumb"},     {"拇指", "thumb"},      {"人指", "index"},     {"食指", "index"},
    {"中指", "middle"},    {"薬指", "ring"},       {"无名指", "ring"},    {"小指", "little"},
    {"先", " end"}};

/// Latin words, without accents and in lower case. A part of a name counts where it is a word.
constexpr Translation latin_words[] = {
    // German
    {"oberschenkel", "thigh"},
    {"unterschenkel", "calf"},
    {"oberarm", "upper arm"},
    {"unterarm", "forearm"},
    {"fuss", "foot"},
    {"fuß", "foot"},
    {"zehe", "toe"},
    {"zehen", "toe"},
    {"becken", "pelvis"},
    {"huefte", "hips"},
    {"hüfte", "hips"},
    {"wirbelsäule", "spine"},
    {"wirbelsaeule", "spine"},
    {"hals", "neck"},
    {"kopf", "head"},
    {"schulter", "shoulder"},
    {"schlüsselbein", "clavicle"},
    {"schluesselbein", "clavicle"},
    {"knie", "knee"},
    {"ellbogen", "elbow"},
    {"brust", "chest"},
    {"daumen", "thumb"},
    {"links", "left"},
    {"rechts", "right"},
    // French
    {"cuisse", "thigh"},
    {"mollet", "calf"},
    {"pied", "foot"},
    {"orteil", "toe"},
    {"bassin", "pelvis"},
    {"hanche", "hips"},
    {"hanches", "hips"},
    {"cou", "neck"},
    {"tete", "head"},
    {"tête", "head"},
    {"avantbras", "forearm"},
    {"bras", "upper arm"},
    {"main", "hand"},
    {"epaule", "shoulder"},
    {"épaule", "shoulder"},
    {"genou", "knee"},
    {"coude", "elbow"},
    {"colonne", "spine"},
    {"gauche", "left"},
    {"droite", "right"},
    {"droit", "right"},
    // Spanish, Italian, Portuguese
    {"muslo", "thigh"},
    {"coscia", "thigh"},
    {"coxa", "thigh"},
    {"pantorrilla", "calf"},
    {"polpaccio", "calf"},
    {"canela", "calf"},
    {"pie", "foot"},
    {"piede", "foot"},
    {"pé", "foot"},
    {"cadera", "hips"},
    {"bacino", "pelvis"},
    {"anca", "hips"},
    {"quadril", "hips"},
    {"cuello", "neck"},
    {"collo", "neck"},
    {"pescoço", "neck"},
    {"cabeza", "head"},
    {"testa", "head"},
    {"cabeça", "head"},
    {"antebrazo", "forearm"},
    {"avambraccio", "forearm"},
    {"antebraço", "forearm"},
    {"brazo", "upper arm"},
    {"braccio", "upper arm"},
    {"braço", "upper arm"},
    {"mano", "hand"},
    {"mão", "hand"},
    {"hombro", "shoulder"},
    {"spalla", "shoulder"},
    {"ombro", "shoulder"},
    {"rodilla", "knee"},
    {"ginocchio", "knee"},
    {"joelho", "knee"},
    {"codo", "elbow"},
    {"gomito", "elbow"},
    {"columna", "spine"},
    {"schiena", "spine"},
    {"coluna", "spine"},
    {"izquierdo", "left"},
    {"izquierda", "left"},
    {"sinistro", "left"},
    {"sinistra", "left"},
    {"esquerdo", "left"},
    {"esquerda", "left"},
    {"derecho", "right"},
    {"derecha", "right"},
    {"destro", "right"},
    {"destra", "right"},
    {"direito", "right"},
    {"direita", "right"},
    // Beasts, in these languages and in the words of anatomy
    {"bein", "leg"},
    {"pfote", "paw"},
    {"huf", "hoof"},
    {"knöchel", "ankle"},
    {"knoechel", "ankle"},
    {"vorne", "front"},
    {"hinten", "hind"},
    {"vorderbein", "front leg"},
    {"hinterbein", "hind leg"},
    {"vorderpfote", "front paw"},
    {"hinterpfote", "hind paw"},
    {"vorderhuf", "front hoof"},
    {"hinterhuf", "hind hoof"},
    {"jambe", "leg"},
    {"patte", "leg"},
    {"sabot", "hoof"},
    {"cheville", "ankle"},
    {"poignet", "wrist"},
    {"doigt", "finger"},
    {"avant", "front"},
    {"arriere", "hind"},
    {"arrière", "hind"},
    {"pierna", "leg"},
    {"perna", "leg"},
    {"gamba", "leg"},
    {"zampa", "paw"},
    {"pata", "paw"},
    {"tobillo", "ankle"},
    {"caviglia", "ankle"},
    {"tornozelo", "ankle"},
    {"delantera", "front"},
    {"delantero", "front"},
    {"trasera", "hind"},
    {"trasero", "hind"},
    {"anteriore", "front"},
    {"posteriore", "hind"},
    {"dianteira", "front"},
    {"dianteiro", "front"},
    {"frente", "front"},
    {"traseira", "hind"},
    {"traseiro", "hind"},
    {"tras", "hind"},
    {"trás", "hind"},
    {"femur", "thigh"},
    {"tibia", "calf"},
    {"humerus", "upper arm"},
    {"radius", "forearm"},
    {"carpus", "wrist"},
    {"metacarpus", "hand"},
    {"tarsus", "ankle"},
    {"metatarsus", "foot"},
    {"cannon", "ankle"},
    {"hock", "ankle"}};

bool is_ascii(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return true;
}

/// Bytes of other scripts count as letters.
bool is_letter(char c) {
  const auto u = static_cast<unsigned char>(c);
  return u >= 0x80 || std::isalpha(u) != 0;
}

void replace_all(std::string& text, const Translation& by) {
  for (std::size_t at = text.find(by.from); at != std::string::npos;
       at = text.find(by.from, at + by.to.size()))
    text.replace(at, by.from.size(), by.to);
}

std::string translated_word(const std::string& word) {
  const std::string lower = lower_case(word);
  for (const Translation& known : latin_words)
    if (lower == known.from) return std::string(known.to);
  return word;
}

/// Splits at signs, at capitals after lower-case letters and after the first letter of "LKnee".
std::string translated_words(std::string_view name) {
  std::string out, word;
  const auto finish = [&] {
    const std::string english = translated_word(word);
    if (english != word && !out.empty() && is_letter(out.back())) out += ' ';
    out += english;
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const auto is_lower = [&](std::size_t at) {
      return at < name.size() && std::islower(static_cast<unsigned char>(name[at])) != 0;
    };
    const bool starts = !word.empty() && std::isupper(static_cast<unsigned char>(c)) != 0 &&
                        (is_lower(i - 1) || is_lower(i + 1));
    if (!is_letter(c) || starts) finish();
    if (is_letter(c)) {
      word += c;
    } else {
      out += c;
    }
  }
  finish();
  return out;
}

}  // namespace

std::string english_name(std::string_view name) {
  std::string out(name);
  if (!is_ascii(name))
    for (const Translation& known : whole_words) replace_all(out, known);
  return translated_words(out);
}

}  // namespace gvbind::retarget
