import { CompanySignInError } from '#app/contracts/company-sign-in.ts';
import {
  ASSERTION,
  attributeOf,
  childrenOf,
  descendants,
  onlyChild,
  PROTOCOL,
  parseSafely,
  SIGNATURE,
  textOf,
} from '#app/platform/saml/saml-document.ts';

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const SIGNS = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]);
const DIGESTS = new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']);
const ENCRYPTS_WITH_TAG = new Set(['http://www.w3.org/2009/xmlenc11#aes128-gcm', 'http://www.w3.org/2009/xmlenc11#aes256-gcm']);
const ENCRYPTS = new Set([
  ...ENCRYPTS_WITH_TAG,
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
]);
const ENCRYPTS_KEYS = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p';

/**
 * The content of a response before its signatures are looked at. `tagged`: its encryption notices a change by itself (GCM); null: it is not
 * encrypted.
 */
export type ReadResponse = {
  text: string;
  inResponseTo: string | null;
  issuer: string | null;
  destination: string | null;
  encrypted: { text: string; tagged: boolean } | null;
};

/** A refusal with a word for the log. */
export const refused = (why: string) => new CompanySignInError('token', new Error(why));

/** The facts that a response states of itself, read cheaply: it may have no assertion. @throws CompanySignInError */
export function glanceAt(answer: string): { inResponseTo: string | null; issuer: string | null } {
  const root = rootOf(decode(answer));
  return { inResponseTo: attributeOf(root, 'InResponseTo'), issuer: textOf(single(root, 'Issuer')) };
}

/**
 * A response of a shape in which nothing can hide: one assertion, as a child of the root, no ID twice, and signatures of sound algorithms at
 * the root and the assertion alone. @throws CompanySignInError
 */
export function readResponse(answer: string): ReadResponse {
  const text = decode(answer);
  const root = rootOf(text);
  const all = [...descendants(root)];
  const assertions = all.filter(({ nodeName }) => /^(?:.*:)?(?:Encrypted)?Assertion$/.test(nodeName));
  const status = attributeOf(childOf(onlyChild(root, PROTOCOL, 'Status'), PROTOCOL, 'StatusCode'), 'Value');
  if (status !== SUCCESS) throw new CompanySignInError('denied', new Error(`status ${status?.slice(-60)}`));
  const [assertion] = assertions;
  if (assertion === undefined || assertions.length > 1 || assertion.parentNode !== root || assertion.namespaceURI !== ASSERTION)
    throw refused(`${assertions.length} assertions`);
  if (attributeOf(root, 'Version') !== '2.0') throw refused('another version');
  const encrypted = assertion.nodeName.endsWith('EncryptedAssertion');
  assertSound(root, encrypted ? [root] : [root, assertion]);
  return {
    text,
    inResponseTo: attributeOf(root, 'InResponseTo'),
    issuer: textOf(single(root, 'Issuer')),
    destination: attributeOf(root, 'Destination'),
    encrypted: encrypted ? { text: assertion.toString(), tagged: isTagged(assertion) } : null,
  };
}

/** No ID twice, and signatures at these elements alone, of algorithms that hold. @throws CompanySignInError */
export function assertSound(root: Element, signed: readonly Element[]): void {
  const all = [root, ...descendants(root)];
  const ids = all.flatMap((element) => ['ID', 'Id', 'id'].flatMap((name) => attributeOf(element, name) ?? []));
  if (new Set(ids).size < ids.length) throw refused('an ID twice');
  const signatures = all.filter(({ namespaceURI, nodeName }) => namespaceURI === SIGNATURE && /^(?:.*:)?Signature$/.test(nodeName));
  for (const signature of signatures) {
    if (!signed.some((element) => element === signature.parentNode)) throw refused('a signature elsewhere');
    const info = onlyOf(signature, 'SignedInfo');
    const references = childrenOf(info, SIGNATURE, 'Reference');
    const method = attributeOf(onlyOf(info, 'SignatureMethod'), 'Algorithm');
    const digests = references.map((reference) => attributeOf(onlyOf(reference, 'DigestMethod'), 'Algorithm'));
    if (!SIGNS.has(method ?? '') || digests.some((digest) => !DIGESTS.has(digest ?? '')))
      throw refused(`algorithm ${method?.slice(-40)} ${digests.join(' ').slice(-60)}`);
  }
}

/** Whether the encryption notices a change. @throws CompanySignInError where its algorithms are none of those that we open */
function isTagged(encrypted: Element): boolean {
  const methods = [...descendants(encrypted)].filter(({ nodeName }) => /^(?:.*:)?EncryptionMethod$/.test(nodeName));
  const named = methods.map((method) => attributeOf(method, 'Algorithm') ?? '');
  const content = named.filter((name) => ENCRYPTS.has(name));
  if (named.length !== 2 || content.length !== 1 || !named.includes(ENCRYPTS_KEYS))
    throw new CompanySignInError('encrypted', new Error(`encryption ${named.join(' ').slice(0, 120)}`));
  return ENCRYPTS_WITH_TAG.has(content[0] ?? '');
}

function decode(answer: string): string {
  const packed = answer.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) throw refused('not base64');
  return Buffer.from(packed, 'base64').toString('utf8');
}

function rootOf(text: string): Element {
  const root = orRefused(() => parseSafely(text, { bare: true }));
  if (root.namespaceURI !== PROTOCOL || root.nodeName.replace(/^.*:/, '') !== 'Response') throw refused('not a response');
  return root;
}

const single = (root: Element, name: string) => orRefused(() => onlyChild(root, ASSERTION, name));
const childOf = (parent: Element | null, namespace: string, name: string) =>
  parent === null ? null : (childrenOf(parent, namespace, name)[0] ?? null);

function onlyOf(parent: Element, name: string): Element {
  const found = orRefused(() => onlyChild(parent, SIGNATURE, name));
  if (found === null) throw refused(`no ${name}`);
  return found;
}

/** Whatever fails while something of a stranger's is read is a refusal. */
export function orRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof CompanySignInError ? error : new CompanySignInError('token', error);
  }
}
