// The class that reserves tiling data: fields by name and type, whose sizes add up with their
// alignment.
#ifndef STAND_IN_TILINGDATA_BASE_H
#define STAND_IN_TILINGDATA_BASE_H
#include "../stand_in.h"

struct StandInField {
  const char *type, *name;
  size_t bytes;
};
struct StandInTilingClass {
  const char *op, *name;
  std::vector<StandInField> fields;
};
inline std::vector<StandInTilingClass> &StandInTilingClasses() {
  static std::vector<StandInTilingClass> classes;
  return classes;
}
class StandInTilingDef {
public:
  size_t AddField(const char *type, const char *name, size_t bytes) {
    fields.push_back({type, name, bytes});
    return fields.size() - 1;
  }
  std::vector<StandInField> fields;
};

#define BEGIN_TILING_DATA_DEF(NAME) class NAME : public StandInTilingDef {
#define TILING_DATA_FIELD_DEF(TYPE, NAME)                                                                              \
public:                                                                                                                \
  void set_##NAME(TYPE value) {                                                                                        \
    NAME = value;                                                                                                      \
  }                                                                                                                    \
  TYPE get_##NAME() const {                                                                                            \
    return NAME;                                                                                                       \
  }                                                                                                                    \
                                                                                                                       \
private:                                                                                                               \
  TYPE NAME = TYPE();                                                                                                  \
  const size_t NAME##Position = AddField(#TYPE, #NAME, sizeof(TYPE))
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(OP, NAME)                                                                           \
  static const bool standInTilingClass##OP = (StandInTilingClasses().push_back({#OP, #NAME, NAME().fields}), true);
#endif
