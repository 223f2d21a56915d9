/** The payment that all pictures of the public site are about. */
export const PAYMENT = {
  payee: 'Nordlicht Logistik GmbH',
  amount: 48_200,
  limit: 10_000,
  currency: 'EUR',
  invoice: 'NL-2026-0917',
  /** The number that banks use in their own examples. */
  account: 'DE89 3704 0044 0532 0130 00',
  run: 1_042,
  digest: '9f3c61d0a7e24b5c8d17f0a2b94e6c3d5a8170ef62b9c4d3e1f0a5b8c7d6e9f2',
  /** Earlier decisions about the same payee. */
  earlier: { approved: 7, rejected: 1 },
} as const;

export const HOUR_MS = 3_600_000;
