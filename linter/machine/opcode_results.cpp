#include "machine/opcode_results.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace warplint {

OpcodeResults resultsOf(StringRef name) {
  // Those that write memory, synchronise or branch.
  static const StringSet<> none = {
      "ST",           "STG",         "STS",        "STL",
      "STSM",         "STAS",        "RED",        "REDG",
      "REDAS",        "SUST",        "SURED",      "LDGSTS",
      "LDGDEPBAR",    "DEPBAR",      "BAR",        "UCGABAR_ARV",
      "UCGABAR_WAIT", "BARRIER",     "MEMBAR",     "ERRBAR",
      "CCTL",         "CCTLL",       "CCTLT",      "FENCE",
      "BRA",          "BRX",         "BRXU",       "JMP",
      "JMX",          "JMXU",        "CALL",       "JCAL",
      "RET",          "EXIT",        "KILL",       "BPT",
      "BSSY",         "BSYNC",       "BREAK",      "WARPSYNC",
      "YIELD",        "NANOSLEEP",   "NOP",        "RTT",
      "PREEXIT",      "ACQBULK",     "PMTRIG",     "WARPGROUP",
      "WARPGROUPSET", "ARRIVES",     "UTMALDG",    "UTMASTG",
      "UTMAREDG",     "UTMACCTL",    "UTMAPF",     "UTMACMDFLUSH",
      "UBLKCP",       "UBLKRED",     "UBLKPF",     "ENDCOLLECTIVE",
      "CGAERRBAR",    "GENMETADATA", "USETMAXREG", "PLATFORM",
      "RPCMOV",       "STT",         "STTM",       "UTCBAR",
      "UTCCP",        "UTCHMMA",     "UTCQMMA",    "UTCIMMA",
      "UTCOMMA",      "UTCSHIFT",    "UTCATOMSWS", "UVIRTCOUNT",
      "MEMSET",       "USTGR",       "UREDGR"};
  static const StringSet<> predicates = {"ISETP",  "FSETP", "DSETP",  "HSETP2",
                                         "PSETP",  "PLOP3", "UISETP", "UFSETP",
                                         "UPSETP", "UPLOP3"};
  static const StringSet<> registers = {
      // Floating point.
      "FADD", "FADD32I", "FMUL", "FMUL32I", "FFMA", "FFMA32I", "FMNMX",
      "FMNMX3", "FSEL", "FSET", "FSWZADD", "MUFU", "FADD2", "FMUL2", "FFMA2",
      "DADD", "DMUL", "DFMA", "DMNMX", "HADD2", "HADD2_32I", "HMUL2",
      "HMUL2_32I", "HFMA2", "HFMA2_32I", "HMNMX2", "HSET2", "FHADD", "FHFMA",
      // Integers.
      "IADD", "IADD3", "IADD32I", "IMAD", "IMUL", "IMUL32I", "IDP", "IDP4A",
      "IMNMX", "IABS", "ISCADD", "ISCADD32I", "LEA", "LOP", "LOP3", "LOP32I",
      "SHF", "SHL", "SHR", "BMSK", "BREV", "FLO", "POPC", "PRMT", "SGXT",
      "VIADD", "VIADDMNMX", "VIMNMX", "VIMNMX3", "VHMNMX", "VABSDIFF",
      "VABSDIFF4", "XMAD", "BFE", "BFI",
      // Moves and conversions.
      "MOV", "MOV32I", "SEL", "SHFL", "MATCH", "VOTE", "F2F", "F2I", "I2F",
      "I2FP", "F2FP", "F2IP", "I2I", "I2IP", "FRND", "CS2R", "S2R", "S2UR",
      "B2R", "P2R", "R2UR", "UR2UP", "UP2UR", "LEPC", "MOVM", "GETLMEMBASE",
      "R2B", "REDUX", "CREDUX", "ELECT", "BMOV",
      // Memory.
      "LD", "LDG", "LDS", "LDL", "LDC", "LDCU", "LDSM", "LDT", "LDTM", "ATOM",
      "ATOMG", "ATOMS", "ATOMSS", "SULD", "SUATOM", "SYNCS", "CCTLG", "QSPC",
      "TEX", "TLD", "TLD4", "TMML", "TXD", "TXQ", "AST", "ALD", "LDGMC",
      // Matrices.
      "HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "OMMA", "HGMMA", "IGMMA", "QGMMA",
      "BGMMA",
      // One value for the warp.
      "ULDC", "UMOV", "UIADD3", "UIMAD", "ULEA", "ULOP", "ULOP3", "USHF",
      "USHL", "USHR", "USEL", "UBMSK", "UBREV", "UFLO", "UPOPC", "UPRMT",
      "USGXT", "VOTEU", "UCLEA", "USGXT", "UVIADD", "UVIMNMX", "UIABS", "UMNMX",
      "UIMNMX", "UFADD", "UFMUL", "UFFMA", "UFMNMX", "UFSEL", "UFSET", "UF2F",
      "UF2I", "UI2F", "UI2FP", "UF2FP", "UFRND", "UMEMSETS", "UCS2UR", "CS2UR",
      "UGETNEXTWORKID", "UI2I", "UI2IP", "UF2IP", "UFHADD", "USETSHMSZ",
      "UIMNMX3", "ULEPC", "UVIMNMX3"};
  if (none.contains(name))
    return OpcodeResults::None;
  if (predicates.contains(name))
    return OpcodeResults::Predicates;
  if (name == "FCHK" || name == "R2P")
    return OpcodeResults::Predicate;
  return registers.contains(name) ? OpcodeResults::Register
                                  : OpcodeResults::Unknown;
}

} // namespace warplint
