export type VerifyOptions = {
  /** The instance's public key (`name+id+base64`), from a place that is not the evidence. Null: nothing can be called proven. */
  key: string | null;
  /** A checkpoint that one received earlier, by mail or webhook: the log must still contain it. */
  received?: string | null;
  /** Which witnesses must have signed with the log (c2sp.org/tlog-policy), from a place that is not the evidence. Its log is a key to pin too. */
  policy?: string | null;
  /** When an authority that one trusts saw this text, by its answer (RFC 3161); null: the stamp does not hold. Absent: stamps are not checked. */
  checkStamp?(answer: Uint8Array, text: string): Promise<Date | null> | Date | null;
};
