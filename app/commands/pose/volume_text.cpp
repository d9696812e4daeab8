#include "commands/pose/volume_text.h"

#include "gvbind/base/utf8.h"

namespace gvbind {

std::string percent(double part, int decimals) {
  const std::string text = fixed(100.0 * part, decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return (is_zero ? fixed(0.0, decimals) : text) + " %";
}

std::string parts_text(const motion::VolumeParts& parts) {
  std::size_t closed = 0, capped = 0, open = 0, thin = 0;
  for (const motion::VolumePart& part : parts.parts) switch (part.kind) {
      case motion::PartKind::solid:
        ++(part.closed() ? closed : capped);
        break;
      case motion::PartKind::open:
        ++open;
        break;
      case motion::PartKind::thin:
        ++thin;
        break;
    }
  std::string text = "parts: " + counted(closed, "closed one", "closed ones") + ", " +
                     std::to_string(capped) + " with capped holes";
  if (open + thin > 0)
    text += "; left alone: " + std::to_string(open) + " open, " + std::to_string(thin) + " thin";
  return text;
}

std::string moved_text(double most, std::size_t held) {
  return "moved: by " + percent(most, 2) + " of the size at most; " +
         counted(held, "vertex", "vertices") + " held at their bound";
}

}  // namespace gvbind
