// The chip's properties for host files.

#ifndef OPC_RUNTIME_ASCENDC_HOST_PLATFORM_H
#define OPC_RUNTIME_ASCENDC_HOST_PLATFORM_H

#include "runtime/ascendc/host/Contexts.h"

namespace platform_ascendc {

enum class CoreMemType { L0_A, L0_B, L0_C, L1, L2, UB, HBM, FB, BT, RESERVED };
enum class SocVersion { ASCEND910, ASCEND910B, ASCEND310P, ASCEND310B, ASCEND910_93, ASCEND950, RESERVED_VERSION };

class PlatformAscendC {
public:
  explicit PlatformAscendC(fe::PlatFormInfos *infos) : launch(infos ? infos->launch : nullptr) {}
  uint32_t GetCoreNum() const { return launch ? launch->numCores : 1; }
  uint32_t GetCoreNumAic() const { return GetCoreNum(); }
  uint32_t GetCoreNumAiv() const { return GetCoreNum(); }
  uint32_t GetCoreNumVector() const { return 0; } // cores that have only a vector unit
  SocVersion GetSocVersion() const { return SocVersion::ASCEND310B; }
  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t, uint32_t) const { return slices; }
  uint32_t GetLibApiWorkSpaceSize() const { return 0; }
  void GetCoreMemSize(const CoreMemType &type, uint64_t &size) const {
    size = !launch                     ? 0
           : type == CoreMemType::UB   ? launch->ubBytes
           : type == CoreMemType::L1   ? launch->l1Bytes
           : type == CoreMemType::L0_A ? launch->l0aBytes
           : type == CoreMemType::L0_B ? launch->l0bBytes
           : type == CoreMemType::L0_C ? launch->l0cBytes
                                       : 0;
  }
  /// Not published for this chip; 0.
  void GetCoreMemBw(const CoreMemType &, uint64_t &rate) const { rate = 0; }

private:
  const opc::ascendc::HostLaunch *launch;
};

} // namespace platform_ascendc

#endif // OPC_RUNTIME_ASCENDC_HOST_PLATFORM_H
