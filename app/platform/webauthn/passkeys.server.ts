import { isIP } from 'node:net';
import { PasskeyError, type Passkeys } from '#app/contracts/clients/passkeys.ts';
import { assertionSchema, readAnswer, registrationSchema } from '#app/platform/webauthn/passkey-answer.ts';

const NAME = 'Quorate';
/** EdDSA, ES256 and RS256 (COSE): what every supported Node checks. The library would ask for ML-DSA first where Node has it. */
const ALGORITHMS = [-8, -7, -257];
const PATIENCE_MS = 5 * 60_000;
/** Authenticators of one kind that the library knows; a newer one is left out, and the browser finds it all the same. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof TRANSPORTS)[number];

const load = () => import('@simplewebauthn/server');
const descriptor = ({ credential, transports }: { credential: Uint8Array; transports: readonly string[] }) => ({
  id: Buffer.from(credential).toString('base64url'),
  transports: TRANSPORTS.filter((one): one is Transport => transports.includes(one)),
});
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

/** Passkeys of the instance at this address: its host is the relying party, and its origin the only one that answers are taken from. */
export function createPasskeys(origin: string): Passkeys {
  const { hostname } = new URL(origin);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
  return {
    possible: isIP(hostname.replace(/^\[|\]$/g, '')) === 0,
    async begin({ id, email, name }, known) {
      const { generateRegistrationOptions } = await load();
      const options = await generateRegistrationOptions({
        rpName: NAME,
        rpID: hostname,
        userID: new Uint8Array(Buffer.from(id.replaceAll('-', ''), 'hex')),
        userName: email,
        userDisplayName: name,
        attestationType: 'none',
        timeout: PATIENCE_MS,
        excludeCredentials: known.map(descriptor),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      });
      return { options, challenge: options.challenge };
    },
    async ask(allowed) {
      const { generateAuthenticationOptions } = await load();
      const options = await generateAuthenticationOptions({
        rpID: hostname,
        timeout: PATIENCE_MS,
        userVerification: 'required',
        allowCredentials: allowed.map(descriptor),
      });
      return { options, challenge: options.challenge };
    },
    async register(answer, challenge) {
      const { response, ...rest } = readAnswer(answer, registrationSchema);
      const { verifyRegistrationResponse } = await load();
      const { transports = [], ...signed } = response;
      const checked = await orPasskeyError(() =>
        verifyRegistrationResponse({
          ...expected,
          response: { ...rest, response: signed, clientExtensionResults: {} },
          expectedChallenge: challenge,
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      );
      if (!checked.verified) throw new PasskeyError('not verified');
      const { credential, credentialBackedUp } = checked.registrationInfo;
      return {
        credential: bytesOf(credential.id),
        key: credential.publicKey,
        counter: credential.counter,
        transports: [...new Set(transports)],
        backedUp: credentialBackedUp,
      };
    },
    glance(answer) {
      const { id, response } = readAnswer(answer, assertionSchema);
      const hex = response.userHandle == null ? null : Buffer.from(response.userHandle, 'base64url').toString('hex');
      return {
        credential: bytesOf(id),
        user: hex === null ? null : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      };
    },
    async verify(answer, challenge, known) {
      const { response, ...rest } = readAnswer(answer, assertionSchema);
      const { verifyAuthenticationResponse } = await load();
      const { userHandle: _, ...signed } = response;
      const checked = await orPasskeyError(() =>
        verifyAuthenticationResponse({
          ...expected,
          response: { ...rest, response: signed, clientExtensionResults: {} },
          expectedChallenge: challenge,
          // The database compares the counter, and its owner is told: here it would be a refusal like any other.
          credential: { id: Buffer.from(known.credential).toString('base64url'), publicKey: new Uint8Array(known.key), counter: 0 },
        }),
      );
      if (!checked.verified) throw new PasskeyError('not verified');
      return { counter: checked.authenticationInfo.newCounter, backedUp: checked.authenticationInfo.credentialBackedUp };
    },
  };
}

/** The library throws plain errors for whatever does not hold. */
async function orPasskeyError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new PasskeyError(error);
  }
}
