/** Passkeys (WebAuthn, level 3) as the product uses them: for its own address, with user verification, and without attestation. */

/** Options for `PublicKeyCredential.parseCreationOptionsFromJSON` or `…RequestOptionsFromJSON`: plain JSON for the browser. */
export type PasskeyOptions = { options: object; challenge: string };

/** A passkey that may answer, or is registered already. */
export type KnownPasskey = { credential: Uint8Array; transports: readonly string[] };

/** A registration that holds. `credential` and `key` (COSE) as bytes. */
export type RegisteredPasskey = {
  credential: Uint8Array;
  key: Uint8Array;
  counter: number;
  transports: string[];
  backedUp: boolean;
};

/** The parts of an answer that say whose it is, before anything of it is believed. */
export type PasskeyGlance = { credential: Uint8Array; user: string | null };

/** Why an answer was refused. The cause names no secret, and goes to the log alone. */
export class PasskeyError extends Error {
  constructor(cause: unknown) {
    super('an answer of a passkey does not hold', { cause });
    this.name = 'PasskeyError';
  }
}

export type Passkeys = {
  /** False where the address of the instance has no name, which browsers ask for. */
  readonly possible: boolean;
  begin(person: { id: string; email: string; name: string }, known: readonly KnownPasskey[]): Promise<PasskeyOptions>;
  /** `allowed`: of whom one may answer; none: whichever the browser has for this site. */
  ask(allowed: readonly KnownPasskey[]): Promise<PasskeyOptions>;
  /** @throws PasskeyError */
  register(answer: string, challenge: string): Promise<RegisteredPasskey>;
  /** @throws PasskeyError */
  glance(answer: string): PasskeyGlance;
  /** The count that the authenticator keeps, and whether the passkey is backed up now. @throws PasskeyError */
  verify(
    answer: string,
    challenge: string,
    known: { credential: Uint8Array; key: Uint8Array },
  ): Promise<{ counter: number; backedUp: boolean }>;
};
