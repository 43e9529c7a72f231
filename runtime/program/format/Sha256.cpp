#include "runtime/program/format/Sha256.h"

#include <openssl/evp.h>

std::string opc::sha256(std::string_view bytes) {
  // Fetched once: with EVP_sha256() libcrypto would search its providers on each call.
  static EVP_MD *const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (!algorithm || EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm, nullptr) != 1)
    return {};
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * size);
  for (unsigned i = 0; i < size; ++i) {
    text += digits[digest[i] >> 4];
    text += digits[digest[i] & 15];
  }
  return text;
}
