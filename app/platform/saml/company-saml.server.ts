import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { SAML, SamlStatusError, ValidateInResponseTo } from '@node-saml/node-saml';
import { decrypt } from 'xml-encryption';
import {
  type CompanySaml,
  CompanySignInError,
  type SamlKey,
  SamlMetadataError,
  type SamlProvider,
} from '#app/contracts/company-sign-in.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { isLoopback } from '#app/domain/connections/loopback.ts';
import { makeCertificate } from '#app/platform/saml/make-certificate.ts';
import { readMetadata } from '#app/platform/saml/read-metadata.ts';
import { readAssertion, SKEW_MS } from '#app/platform/saml/saml-assertion.ts';
import { parseSafely } from '#app/platform/saml/saml-document.ts';
import { assertSound, glanceAt, orRefused, type ReadResponse, readResponse, refused } from '#app/platform/saml/saml-response.ts';
import { writeMetadata } from '#app/platform/saml/write-metadata.ts';

const REQUEST_BYTES = 32;
const NAME_ID_FORMATS = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: null,
} as const;
export type Clock = () => number;

/**
 * SAML 2.0 by `node-saml`, which verifies signatures and opens what is encrypted. What it leaves to others is checked around it: the shape of
 * the document and its algorithms before, and on the very bytes that were signed the issuer, the recipient and what was asked.
 */
export function createCompanySaml(fetch: GuardedFetch, now: Clock = Date.now): CompanySaml {
  return {
    async begin(provider) {
      if (!isAllowed(provider.settings.ssoUrl)) throw new CompanySignInError('configuration');
      const [key] = provider.keys;
      if (key === undefined) throw new CompanySignInError('configuration', new Error('no key of ours'));
      // An XML ID begins with a letter or an underscore.
      const request = `_${randomBytes(REQUEST_BYTES).toString('base64url')}`;
      const library = open(provider, { key, request, responseSigned: false });
      return { url: await library.getAuthorizeUrlAsync('', undefined, {}), request };
    },
    glance: async (answer) => glanceAt(answer),
    async finish(provider, answer, request) {
      const read = readResponse(answer);
      if (read.issuer !== null && read.issuer !== provider.issuer) throw new CompanySignInError('issuer', new Error('another issuer'));
      if (read.destination !== null && read.destination !== provider.acs)
        throw new CompanySignInError('audience', new Error('another destination'));
      if (read.inResponseTo !== request) throw new CompanySignInError('state', new Error('the answer to another request'));
      const verified = read.encrypted === null ? await verify(provider, answer, read) : await openAndVerify(provider, answer, read);
      return readAssertion(verified, provider, request, now());
    },
    readMetadata: async (text) => readMetadata(text, now()),
    async fetchMetadata(url, privateNetwork) {
      if (!isAllowed(url)) throw new SamlMetadataError('address');
      try {
        const response = await fetch(url, { privateNetwork, headers: { Accept: 'application/samlmetadata+xml, application/xml' } });
        if (response.status !== 200) throw new Error(`status ${response.status}`);
        return await response.text();
      } catch (error) {
        throw new SamlMetadataError('unreachable', error);
      }
    },
    writeMetadata: async (service) => writeMetadata(service),
    makeKey: makeCertificate,
  };
}

/** Over https, or over http to this very machine, which the guarded fetch allows only where it is listed. */
function isAllowed(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
}

type Opening = { key?: SamlKey; request?: string; responseSigned: boolean };

function open({ issuer, entityId, acs, settings }: SamlProvider, { key, request, responseSigned }: Opening): SAML {
  return new SAML({
    issuer: entityId,
    audience: entityId,
    callbackUrl: acs,
    entryPoint: settings.ssoUrl,
    idpIssuer: issuer,
    idpCert: settings.certificates,
    identifierFormat: NAME_ID_FORMATS[settings.nameId],
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: responseSigned,
    acceptedClockSkewMs: SKEW_MS,
    // Bound to the browser and taken once by who calls this: the library remembers in this process alone.
    validateInResponseTo: ValidateInResponseTo.never,
    ...(key === undefined ? {} : { privateKey: key.key, decryptionPvk: key.key }),
    ...(request === undefined ? {} : { generateUniqueId: () => request }),
  });
}

/** The bytes of the assertion as they were signed. @throws CompanySignInError */
async function verify(provider: SamlProvider, answer: string, { encrypted }: ReadResponse, key?: SamlKey): Promise<string> {
  // Without a tag, changed bytes decrypt to something that tells an attacker what was inside: then the response must be signed, too.
  const responseSigned = encrypted?.tagged === false;
  try {
    const library = open(provider, { responseSigned, ...(key === undefined ? {} : { key }) });
    const { profile } = await library.validatePostResponseAsync({ SAMLResponse: answer.replaceAll(/\s/g, '') });
    const text = profile?.getAssertionXml?.();
    if (text === undefined) throw refused('no assertion');
    return text;
  } catch (error) {
    throw failureOf(error);
  }
}

/** The same with the key of ours that it was encrypted to: the present one, the next one or the one before. */
async function openAndVerify(provider: SamlProvider, answer: string, read: ReadResponse): Promise<string> {
  for (const key of provider.keys) {
    try {
      const verified = await verify(provider, answer, read, key);
      await assertInnerSound(read.encrypted?.text ?? '', key);
      return verified;
    } catch (error) {
      if (!(error instanceof CompanySignInError && error.failure === 'encrypted')) throw error;
    }
  }
  throw new CompanySignInError('encrypted', new Error('encrypted to no key of ours'));
}

/** An assertion that was encrypted has to have the same shape and algorithms as one in clear. */
async function assertInnerSound(encrypted: string, { key }: SamlKey): Promise<void> {
  const inner = await promisify(decrypt)(encrypted, { key });
  const assertion = orRefused(() => parseSafely(String(inner), { bare: true }));
  assertSound(assertion, [assertion]);
}

/** The library's errors in our words: it has no codes for them. */
function failureOf(error: unknown): CompanySignInError {
  if (error instanceof CompanySignInError) return error;
  if (error instanceof SamlStatusError) return new CompanySignInError('denied', error);
  const { message, code } =
    error instanceof Error ? { code: undefined, ...error, message: error.message } : { message: '', code: undefined };
  if (/expired|not yet valid|too old/.test(message)) return new CompanySignInError('time', error);
  if (/audience/i.test(message)) return new CompanySignInError('audience', error);
  if (/^ERR_OSSL/.test(String(code)) || /unable to authenticate data|decryption key/i.test(message))
    return new CompanySignInError('encrypted', error);
  return new CompanySignInError('token', error);
}
