/* P(w) = erfinv(x) / x as a function of w = -log(1 - x**2), for erfinv and erfcinv: interpolation at Chebyshev nodes,
   computed with 200 bits, on pieces mapped to [-1, 1]. First w in [0, 3]: (P(w) - P(0)) / w; then with s = sqrt(w)
   P(w) - s, in s or in 1 / (s + 1) (the last of f8: 1 / (s + 5)). Absolute errors: 2**-26 and less for f4, 2**-56 and
   less for f8. */
#pragma once

#include "device.h"

#if JITC_REAL == 4
static const real kFirst[] = {0x1.f37d46p-3f,   0x1.a81832p-8f,   -0x1.519c36p-8f, 0x1.d15732p-12f,  0x1.46dc94p-13f,
                              -0x1.3e5c8ap-15f, -0x1.81910cp-19f, 0x1.19959ep-19f, -0x1.06545ep-24f, -0x1.6bfd5ep-24f};
static const real kSecond[] = {-0x1.55c7bap-3f,  0x1.4e1fc2p-8f,  0x1.0c617p-5f,   0x1.36ea22p-6f,  0x1.72a718p-7f,
                               -0x1.6a13e4p-8f,  -0x1.215d3cp-7f, 0x1.f49aecp-10f, 0x1.4223ccp-8f,  -0x1.2c4ee8p-10f,
                               -0x1.f69adep-10f, 0x1.36c02ep-11f, 0x1.83e616p-12f, -0x1.27ca08p-13f};
static const real kThird[] = {-0x1.0c2088p-3f,  -0x1.48596ap-6f, 0x1.8fbfd8p-9f,   -0x1.4a4adp-13f, 0x1.21882p-15f,
                              -0x1.a10aeap-18f, 0x1.403c22p-20f, -0x1.321202p-22f, 0x1.0f8e2p-24f};
#else
static const real kFirst[] = {0x1.f37d450b7f682p-3,   0x1.a818317488c7fp-8,   -0x1.519c30739d81p-8,
                              0x1.d1574604f2e56p-12,  0x1.46d778f24b0dcp-13,  -0x1.3e6167d6bdad5p-15,
                              -0x1.7dedbc8516c97p-19, 0x1.1a7093f832d0dp-19,  -0x1.9090eeae06bf3p-24,
                              -0x1.8b87e5c48624dp-24, 0x1.f05858a277507p-27,  0x1.9dc4ac16143e9p-29,
                              -0x1.1d8a48dbc6902p-30, -0x1.63fc0c6f0a355p-35, 0x1.ec28bd3bbff8ap-35,
                              -0x1.079a8e3622f78p-38, -0x1.29cf4c932f056p-39, 0x1.7bea56717f1eep-42};
static const real kSecond[] = {
    -0x1.56225d1c34387p-3,  -0x1.8ac8497413ebdp-10, 0x1.1694c2200f658p-6,   -0x1.10640777906afp-6,
    0x1.cb1fccdcfebc3p-7,   -0x1.2482427a1be7ep-7,  0x1.907cdf4c76c4p-9,    0x1.781c79cd585a2p-11,
    -0x1.8e38522a60c86p-10, 0x1.79cc737aa442cp-11,  0x1.e6c23fb9f4166p-15,  -0x1.0bac0a8c35ed7p-12,
    0x1.00a4cd1c74d38p-13,  0x1.1cf40dbc69ae1p-17,  -0x1.4824b58546d34p-15, 0x1.33d262d9f67dfp-16,
    0x1.e668b568f2fc8p-21,  -0x1.7099a6a2be7dbp-18, 0x1.7c80a44e50779p-19,  -0x1.99fa5f1c254ep-25,
    -0x1.d013731413ff1p-21, 0x1.045327f94dc8dp-21,  0x1.e9077fba220cp-25,   -0x1.4fc52b73c87a6p-23,
    0x1.aff0cd376559bp-26,  0x1.88ed1edb8ac25p-26,  -0x1.5c8399d73ad7dp-28, -0x1.523948f89234bp-30};
static const real kThird[] = {
    -0x1.30c29189f2189p-3,  0x1.7a165d18cedf1p-7,   -0x1.1a24434a23c09p-12, -0x1.0ca5c8d784b1dp-12,
    0x1.b29f5df28def4p-14,  -0x1.f59052ab3e209p-16, 0x1.fdda93615494ap-18,  -0x1.e7793f4ce10e6p-20,
    0x1.d2929d54b45bp-22,   -0x1.0195a195f5fb5p-23, 0x1.93db59058c34ap-25,  -0x1.b5d640447d667p-26,
    0x1.0191d2a879de2p-26,  -0x1.1860cc8c30ea5p-27, 0x1.06bdc90f4b92cp-28,  -0x1.9299d49c147dbp-30,
    0x1.ce2ec0dd07424p-32,  -0x1.be4834a56ed12p-35, -0x1.654f31e975068p-35, 0x1.189901d816c54p-35,
    -0x1.361a30f5e3368p-37, 0x1.4b4c1fbd9c75ap-41};
static const real kFourth[] = {
    -0x1.99ffabadffed4p-4, -0x1.4740b73dd6851p-5,  0x1.e98580fc667b2p-10,  0x1.0a6e972cbbbc7p-13,
    0x1.396fdb90e67b2p-12, 0x1.cea8d0e4a5bcbp-17,  0x1.79dd3ff4f4037p-16,  -0x1.e4fd9f6c1fb89p-20,
    0x1.06635d62f17a6p-19, -0x1.0c5b478b677dap-21, 0x1.012d0bb1c429p-22,   -0x1.7e32538a518c5p-24,
    0x1.3efee1cce6a41p-25, -0x1.05b76819689c7p-26, 0x1.b51e6c1763401p-28,  -0x1.793011f56399dp-29,
    0x1.4192aeab8105cp-30, -0x1.d4660f0c1273ep-32, 0x1.90e4afd3df10fp-33,  -0x1.55677724d2aaap-33,
    0x1.311b5dff6fa55p-34, 0x1.2ed765bd3be6cp-36,  -0x1.1ff38cd62d785p-37, -0x1.e45f9b71bc2b6p-37,
    0x1.b7288c16d0a0ap-38};
#endif
