import { X509Certificate } from 'node:crypto';
import { type SamlMetadata, SamlMetadataError, type SamlMetadataFault } from '#app/contracts/company-sign-in.ts';
import { isLoopback } from '#app/domain/connections/loopback.ts';
import {
  attributeOf,
  childrenOf,
  descendants,
  METADATA,
  parseSafely,
  SIGNATURE,
  textOf,
  timeOf,
} from '#app/platform/saml/saml-document.ts';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const SPEAKS = 'urn:oasis:names:tc:SAML:2.0:protocol';
const LONGEST = 262_144;
const LONGEST_ENTITY = 500;
const LONGEST_ADDRESS = 2_000;
const MOST_CERTIFICATES = 10;
const SHORTEST_KEY = 2048;

/**
 * Reads the metadata of one identity provider (SAML 2.0 metadata, section 2.4.3). A signature on it is not looked at: whoever pastes it, or
 * names its address, vouches for it, and another person agrees to its certificates.
 * @param now milliseconds since 1970
 * @throws SamlMetadataError
 */
export function readMetadata(text: string, now: number): SamlMetadata {
  const root = rootOf(text);
  const entities = [root, ...descendants(root)].filter((element) => isNamed(element, 'EntityDescriptor'));
  const providers = entities.filter((entity) => childrenOf(entity, METADATA, 'IDPSSODescriptor').length > 0);
  if (providers.length === 0) throw new SamlMetadataError('noProvider');
  const [entity] = providers;
  const roles = entity === undefined ? [] : childrenOf(entity, METADATA, 'IDPSSODescriptor').filter(speaksSaml2);
  const [role] = roles;
  if (entity === undefined || role === undefined) throw new SamlMetadataError('noProvider');
  if (providers.length > 1 || roles.length > 1) throw new SamlMetadataError('several');
  // Of a list of entities its own end counts, too.
  if ([root, entity, role].some((element) => hasEnded(element, now))) throw new SamlMetadataError('expired');
  const entityId = attributeOf(entity, 'entityID');
  if (entityId === null || entityId === '' || entityId.length > LONGEST_ENTITY) throw new SamlMetadataError('noProvider');
  return { entityId, ssoUrl: addressOf(role), certificates: certificatesOf(role) };
}

function rootOf(text: string): Element {
  if (text.length > LONGEST) throw new SamlMetadataError('xml');
  try {
    return parseSafely(text.trim(), { bare: false });
  } catch (error) {
    throw new SamlMetadataError('xml', error);
  }
}

const isNamed = (element: Element, name: string) => element.namespaceURI === METADATA && element.nodeName.replace(/^.*:/, '') === name;
const speaksSaml2 = (role: Element) => (attributeOf(role, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(SPEAKS);

function hasEnded(element: Element, now: number): boolean {
  const said = attributeOf(element, 'validUntil');
  const until = timeOf(said);
  return said !== null && (until === null || until <= now);
}

function addressOf(role: Element): string {
  const services = childrenOf(role, METADATA, 'SingleSignOnService');
  const service = services.find((one) => attributeOf(one, 'Binding') === REDIRECT);
  if (service === undefined) throw new SamlMetadataError('noRedirect');
  const address = attributeOf(service, 'Location') ?? '';
  const url = URL.parse(address);
  const allowed = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  if (!allowed || address.length > LONGEST_ADDRESS || url.username !== '') throw new SamlMetadataError('address');
  return url.href;
}

/** Keys that may sign: all that are not for encryption alone. Whether a certificate has run out is nobody's matter here (decision 72). */
function certificatesOf(role: Element): string[] {
  const descriptors = childrenOf(role, METADATA, 'KeyDescriptor').filter((one) => attributeOf(one, 'use') !== 'encryption');
  const found = descriptors
    .flatMap((one) => [...descendants(one)])
    .filter((element) => element.namespaceURI === SIGNATURE && /^(?:.*:)?X509Certificate$/.test(element.nodeName))
    .map((element) => canonical(textOf(element) ?? ''));
  const certificates = [...new Set(found)];
  if (certificates.length === 0 || certificates.length > MOST_CERTIFICATES) throw new SamlMetadataError('certificates');
  return certificates;
}

/** The certificate without line breaks, of an RSA key that is long enough: `node-saml` checks signatures of no other kind. */
function canonical(text: string): string {
  const bytes = Buffer.from(text.replaceAll(/\s/g, ''), 'base64');
  const key = tried('certificates', () => new X509Certificate(bytes).publicKey);
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < SHORTEST_KEY)
    throw new SamlMetadataError('certificates');
  return bytes.toString('base64');
}

function tried<T>(fault: SamlMetadataFault, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SamlMetadataError(fault, error);
  }
}
