/**
 * What the machine's own ID looks like on each platform, and the hardware ID that follows: hw_ and the first 32 hex digits of
 * the SHA-256 of `seathold:hardware-id:1:` and the ID in lower case.
 */
export const HARDWARE_VECTORS = [
  {
    platform: 'linux',
    output: 'b08dfa6083e7567a1921a715000001fb\n',
    machine_id: 'b08dfa6083e7567a1921a715000001fb',
    hardware_id: 'hw_fc3c58bec75cca080386181d5dc6c813',
  },
  {
    platform: 'darwin',
    output:
      '+-o Mac14,2  <class IOPlatformExpertDevice, id 0x100000258>\n    {\n      "IOPlatformSerialNumber" = "C02XXXXXXXXX"\n      "IOPlatformUUID" = "564D2F6E-0A4B-8D1C-93E5-7F2A6B1C0D9E"\n    }\n',
    machine_id: '564d2f6e-0a4b-8d1c-93e5-7f2a6b1c0d9e',
    hardware_id: 'hw_c7ddfcddddbab8a00d435ca0b5f56941',
  },
  {
    platform: 'win32',
    output:
      '\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    9f86d081-884c-4d65-9a2f-eaa0c55ad015\r\n\r\n',
    machine_id: '9f86d081-884c-4d65-9a2f-eaa0c55ad015',
    hardware_id: 'hw_e0bfba8f8cbde9e1139d6c8327ee769b',
  },
];
