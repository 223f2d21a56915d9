import { createHash } from 'node:crypto';
import { generateServiceProviderMetadata } from '@node-saml/node-saml';

/** The library asks whether there is a key at all; what is not signed needs none. */
const THERE_IS_ONE = 'a key';

/** Our metadata: the first certificate is encrypted to, and all of them may sign, so that the next one is known before it is used. */
export function writeMetadata({ entityId, acs, certificates }: { entityId: string; acs: string; certificates: readonly string[] }): string {
  return generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acs,
    wantAssertionsSigned: true,
    identifierFormat: null,
    privateKey: THERE_IS_ONE,
    publicCerts: certificates.map(toPem),
    decryptionPvk: THERE_IS_ONE,
    decryptionCert: toPem(certificates[0] ?? ''),
    generateUniqueId: () => `_${createHash('sha256').update(entityId).digest('hex')}`,
  });
}

const toPem = (base64: string) => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
