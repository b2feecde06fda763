/* Tables of the Bessel functions of orders 0 and 1: interpolation at Chebyshev nodes, computed with 200 bits.
   near: x in (0, 2], in x**2: J0, J1 / x, and R0 and R1 / x, which are what Y0 and Y1 have besides logarithm and pole:
     Y0 = 2 / pi log(x) J0 + R0,  Y1 = 2 / pi (log(x) J1 - 1 / x) + R1
   middle: x in [2, 5], in x - 3.5; far: x >= 5, in 50 / x**2 - 1, the P - 1 and x Q of
     J + i Y = sqrt(2 / (pi x)) (P + i Q) exp(i (x - pi / 4 - order pi / 2)).
   Absolute errors: 2**-28 and less for f4, 2**-57 and less for f8. */
#pragma once

#include "device.h"

#if JITC_REAL == 4
static const real kNearJ0[] = {0x1p+0f,         -0x1p-2f,         0x1p-6f,        -0x1.c71c44p-12f,
                               0x1.c71432p-18f, -0x1.2282bap-24f, 0x1.e20812p-32f};
static const real kNearJ1[] = {0x1p-1f,         -0x1p-4f,         0x1.555556p-9f, -0x1.c71c5ap-15f,
                               0x1.6c129cp-21f, -0x1.8398eap-28f, 0x1.15efd4p-35f};
static const real kNearR0[] = {-0x1.2e4d6ap-4f, 0x1.6bbcb4p-3f, -0x1.075b1ap-6f, 0x1.1a61ep-11f,
                               -0x1.3e926p-17f, 0x1.bb95ap-24f, -0x1.881fe2p-31f};
static const real kNearR1[] = {-0x1.918662p-3f,  0x1.bd3976p-5f,  -0x1.835b98p-9f, 0x1.2c7dacp-14f,
                               -0x1.0a7464p-20f, 0x1.32395cp-27f, -0x1.d129cap-35f};
static const real kMiddleJ0[] = {-0x1.854034p-2f, -0x1.195964p-3f,  0x1.ad718cp-3f,   0x1.15069cp-10f,  -0x1.d8d4c2p-7f,
                                 0x1.05f18ep-12f, 0x1.af6ea4p-12f,  -0x1.1eda9ep-17f, -0x1.b329cap-18f, 0x1.1cff02p-23f,
                                 0x1.17123ep-24f, -0x1.48caeap-30f, -0x1.de8154p-32f};
static const real kMiddleJ1[] = {0x1.195964p-3f,  -0x1.ad718cp-2f, -0x1.9f89eap-9f, 0x1.d8d4c2p-5f,   -0x1.476dfep-10f,
                                 -0x1.4392f8p-9f, 0x1.f601d4p-15f, 0x1.b329p-15f,   -0x1.4101e8p-20f, -0x1.5cbda8p-21f,
                                 0x1.d997bap-27f, 0x1.64a4c2p-28f, -0x1.bc9c28p-34f};
static const real kMiddleY0[] = {0x1.831dfp-3f,  -0x1.a4086ep-2f, -0x1.26323cp-5f, 0x1.0f2c2ap-4f,   -0x1.7636b8p-10f,
                                 -0x1.43e15p-9f, 0x1.6ad60ap-18f, 0x1.1abb7ap-14f, -0x1.2397d8p-18f, 0x1.e1c35ep-28f,
                                 -0x1.6455p-23f, 0x1.bb8aaap-24f, -0x1.c0bfbep-26f};
static const real kMiddleY1[] = {0x1.a4086ep-2f,   0x1.26323ap-4f,   -0x1.96c23p-3f,  0x1.763882p-8f,   0x1.94d41cp-7f,
                                 -0x1.12af68p-15f, -0x1.ed493ap-12f, 0x1.26895ap-15f, -0x1.81f0f4p-20f, 0x1.8ea5fp-20f,
                                 -0x1.1e0296p-21f, 0x1.71f7bp-22f,   -0x1.a625c2p-24f};
static const real kFarP0[] = {-0x1.65e35p-10f, -0x1.5bfe94p-10f, 0x1.24e898p-15f, -0x1.49c492p-19f,
                              0x1.3e8942p-22f, -0x1.e66d82p-25f, 0x1.b8cbcp-27f};
static const real kFarQ0[] = {-0x1.fa53bp-4f,   0x1.588368p-10f, -0x1.09df02p-14f, 0x1.a2bc84p-18f,
                              -0x1.f55fe4p-21f, 0x1.8f8e04p-23f, -0x1.ea147ep-25f, 0x1.27eac4p-26f};
static const real kFarP1[] = {0x1.2c3d56p-9f,   0x1.25cb0ap-9f,  -0x1.800e1cp-15f, 0x1.8f5686p-19f,
                              -0x1.7323cep-22f, 0x1.142854p-24f, -0x1.ecf752p-27f};
static const real kFarQ1[] = {0x1.7e0026p-2f,  -0x1.e8dbfp-10f,  0x1.4b46dap-14f, -0x1.eea09p-18f,
                              0x1.1fcc1cp-20f, -0x1.c287d4p-23f, 0x1.0fcbc4p-24f, -0x1.453f88p-26f};
#else
static const real kNearJ0[] = {0x1p+0,
                               -0x1p-2,
                               0x1p-6,
                               -0x1.c71c71c71c71p-12,
                               0x1.c71c71c71c0d6p-18,
                               -0x1.234567898e81dp-24,
                               0x1.02e85bfdeeefcp-31,
                               -0x1.522a3ef9b9f82p-39,
                               0x1.5228c42ec936p-47,
                               -0x1.0ae9745d9b604p-55,
                               0x1.46cb01ff34fbep-64};
static const real kNearJ1[] = {0x1p-1,
                               -0x1p-4,
                               0x1.5555555555555p-9,
                               -0x1.c71c71c71c718p-15,
                               0x1.6c16c16c169fep-21,
                               -0x1.845c8a0cd17c6p-28,
                               0x1.27e4fb7069147p-35,
                               -0x1.522a40a0ff882p-43,
                               0x1.2c96585d0ba19p-51,
                               -0x1.ab220bd75d0a6p-60,
                               0x1.dd2542836808ap-69};
static const real kNearR0[] = {-0x1.2e4d699cbd01fp-4,  0x1.6bbcb41034286p-3,   -0x1.075b1bbf41364p-6,
                               0x1.1a6206b7b973p-11,   -0x1.3e9979420357bp-17, 0x1.bce4a600997c5p-24,
                               -0x1.a6ee795642cbfp-31, 0x1.2393d33355983p-38,  -0x1.3106dee9f70edp-46,
                               0x1.f45e2eabd29cfp-55,  -0x1.3c4da8d9cfef4p-63};
static const real kNearR1[] = {-0x1.91866143cbc8ap-3,  0x1.bd3975c75b4a7p-5,   -0x1.835b97894be5bp-9,
                               0x1.2c7dbffcde979p-14,  -0x1.0a780ac776c8dp-20, 0x1.32e5a4dddad7ep-27,
                               -0x1.f0ce34c39e0cap-35, 0x1.2a4e178be321bp-42,  -0x1.1473aaaf4d2c7p-50,
                               0x1.972ac20814b8cp-59,  -0x1.d4cf731bbe8c2p-68};
static const real kMiddleJ0[] = {-0x1.854034ce30d51p-2,  -0x1.19596399cff47p-3,  0x1.ad718c2d4e8a4p-3,
                                 0x1.15069b76d7714p-10,  -0x1.d8d4c2443c38ep-7,  0x1.05f1986b5d8f2p-12,
                                 0x1.af6ea77166054p-12,  -0x1.1edc7bd6c5032p-17, -0x1.b32add026a193p-18,
                                 0x1.1d57f8c727d86p-23,  0x1.17452477d792fp-24,  -0x1.58b7fc9ce9a07p-30,
                                 -0x1.f0b4b115a4b4p-32,  0x1.1cc02bc6f34e8p-37,  0x1.44388dda16bb7p-39,
                                 -0x1.586b82fe58eb1p-45, -0x1.43efc18cc47f2p-47, 0x1.3f280a203d5f4p-53,
                                 0x1.ff3a3fdf6fde7p-56,  -0x1.c8423bf38d7fdp-62, -0x1.3f112d8de3a1dp-64};
static const real kMiddleJ1[] = {0x1.19596399cff47p-3,   -0x1.ad718c2d4e8a4p-2,  -0x1.9f89e9324329ep-9,
                                 0x1.d8d4c2443c38ep-5,   -0x1.476dfe8634f2fp-10, -0x1.4392fd950c83fp-9,
                                 0x1.f601d8b7d8caep-15,  0x1.b32add026a178p-15,  -0x1.4102f7e00ee89p-20,
                                 -0x1.5d166d95cc9c2p-21, 0x1.d9fcfb599b0d7p-27,  0x1.748784cfb67adp-28,
                                 -0x1.ceb8482280981p-34, -0x1.1bb17bee50086p-35, 0x1.42e51f8cf0fcdp-41,
                                 0x1.43efac9ae8cccp-43,  -0x1.533c6f519cf2cp-49, -0x1.1f8bd6642daa2p-51,
                                 0x1.16629acd0883ep-57,  0x1.8ddc4b1f248afp-60,  -0x1.665f9de04a214p-66};
static const real kMiddleY0[] = {
    0x1.831defdaee2c8p-3,   -0x1.a4086ec01970fp-2, -0x1.26323c912cfc9p-5,  0x1.0f2c2060a939fp-4,
    -0x1.763615f309f6fp-10, -0x1.43dd2ac41810bp-9, 0x1.689af6248d03dp-18,  0x1.19f6e857f5efp-14,
    -0x1.2049102cd53e2p-18, 0x1.2404e52d035cap-23, -0x1.aee4b1733fdd7p-23, 0x1.0a7408fb5fe4dp-24,
    -0x1.0215551e1d55ep-26, 0x1.0e35c6f4ccb1ep-28, -0x1.22d62c916ec11p-30, 0x1.37b63c8feec0fp-32,
    -0x1.4f298d88bfdf2p-34, 0x1.6efb062e60b3bp-36, -0x1.8d561ee93603bp-38, 0x1.7eed0b6ae07d1p-40,
    -0x1.9fd260f4b9a0dp-42, 0x1.7915693ae8b2bp-43, -0x1.9d988136a18ecp-45, -0x1.37d7d12033405p-48,
    0x1.5e0cee59f5463p-50,  0x1.388ee4188a155p-49, -0x1.58e338e4e617cp-51};
static const real kMiddleY1[] = {
    0x1.a4086ec01970fp-2,   0x1.26323c912cfcap-4,   -0x1.96c23090fdd7dp-3,  0x1.763615f309aedp-8,
    0x1.94d475751fa64p-7,   -0x1.0e74389956503p-15, -0x1.ed70169bff055p-12, 0x1.2049101eb4bbbp-15,
    -0x1.48857693c7916p-20, 0x1.0d4ef24190b72p-19,  -0x1.6e5fd4e6ff58ep-21, 0x1.831f827851266p-23,
    -0x1.b70e09c32e489p-25, 0x1.fd02b4b523f85p-27,  -0x1.24a1cc9bf646cp-28, 0x1.4ec888989aaa9p-30,
    -0x1.7fe04195c2972p-32, 0x1.c32d2d33bf821p-34,  -0x1.026954b4fa8e5p-35, 0x1.e9282b5f57c99p-38,
    -0x1.180ee25f296d8p-39, 0x1.4033f0a15f004p-40,  -0x1.6e4b96003d5f4p-42, -0x1.c873990beb484p-45,
    0x1.04d259030df48p-46,  0x1.350183a1ba471p-46,  -0x1.615ab5ecb08bp-48};
static const real kFarP0[] = {
    -0x1.65e34f15e3278p-10, -0x1.5bfe8e449915dp-10, 0x1.24e857e03063cp-15, -0x1.4a2bb23d493c6p-19,
    0x1.3f88ee79fa5c4p-22,  -0x1.b4ebafe6093a5p-25, 0x1.7bfa10064d187p-27, -0x1.8a987220f112dp-29,
    0x1.d55d1c82d60dap-31,  -0x1.371a01ef9ed9cp-32, 0x1.cafba388a758bp-34, -0x1.6936ba29f79bep-35,
    0x1.c0f38c6343268p-37,  -0x1.59aff4523c2d6p-38, 0x1.200356edad70ap-37, -0x1.40554f47c8f2p-38,
    -0x1.82a0e9c0683f7p-39, 0x1.eaedb59073b4p-40,   0x1.8dde8f3bcd9e1p-40, -0x1.d72e874ab6f89p-41};
static const real kFarQ0[] = {
    -0x1.fa53af1a412d6p-4,  0x1.5883682266e92p-10, -0x1.09dd7055e469ap-14, 0x1.a2b325e968bfp-18,
    -0x1.f930576e62a83p-21, 0x1.953c8ca86cbbap-23, -0x1.8e8de2952880fp-25, 0x1.c8df798f7d601p-27,
    -0x1.2730339e740d2p-28, 0x1.a3d19ce3f8fe1p-30, -0x1.3f7dbd6baab19p-31, 0x1.04f43eeb37316p-32,
    -0x1.0a6c4d0dd13f9p-33, 0x1.0101b9979e924p-34, 0x1.8560d5947dc68p-38,  -0x1.f5dabb85c83a4p-38,
    -0x1.3c9467325b7a4p-35, 0x1.8dc2f3e899d31p-36, 0x1.2c22303d34a5cp-36,  -0x1.886d20e18df5ap-37,
    -0x1.a0134b1cd3908p-38, 0x1.07ede36533787p-38};
static const real kFarP1[] = {
    0x1.2c3d5583552d1p-9,   0x1.25cb0665de3bp-9,    -0x1.800dd4111098dp-15, 0x1.8fc8a45a5cbd3p-19,
    -0x1.743c6fd6926f9p-22, 0x1.f17ff8f6598b2p-25,  -0x1.aa2bc6317c87ap-27, 0x1.b5cfee574a7e3p-29,
    -0x1.0247417d078cbp-30, 0x1.54344858658cdp-32,  -0x1.f30d15d2f3354p-34, 0x1.86fbcc3902486p-35,
    -0x1.e7c136b8e4a9ap-37, 0x1.7783055122a7p-38,   -0x1.320a07cab416cp-37, 0x1.5383ab7636f66p-38,
    0x1.96de6bd6d14c8p-39,  -0x1.02380cd050947p-39, -0x1.a4d1d26af3d42p-40, 0x1.f1ad901b50781p-41};
static const real kFarQ1[] = {
    0x1.7e0025755b90ep-2,  -0x1.e8dbf08d129fbp-10, 0x1.4b4523f6fda6ap-14,  -0x1.ee9665e6d4411p-18,
    0x1.21e128bc8c45ap-20, -0x1.c8b3225dcdc21p-23, 0x1.bb98bb03b7b73p-25,  -0x1.f7dd952cfe101p-27,
    0x1.4341fad61eb91p-28, -0x1.c9286259962fcp-30, 0x1.5a6c406d0a8afp-31,  -0x1.19e6a5b495294p-32,
    0x1.1dd2a3bbde5eap-33, -0x1.12ba1349cb51p-34,  -0x1.7a010931254b9p-38, 0x1.0054029faf56dp-37,
    0x1.4d888b632fdbdp-35, -0x1.a279e6269882bp-36, -0x1.3b45fb512b938p-36, 0x1.9beb036d9bdfbp-37,
    0x1.b602326530061p-38, -0x1.158d78d503417p-38};
#endif
