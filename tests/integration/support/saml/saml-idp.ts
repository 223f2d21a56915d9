/** A SAML identity provider of a company that writes its XML by hand, so that it can also write what none would. */
import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { encrypt } from 'xml-encryption';
import type { SamlKey } from '#app/contracts/company-sign-in.ts';
import { makeCertificate } from '#app/platform/saml/make-certificate.ts';

export const SHA256 = { signs: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', digests: 'http://www.w3.org/2001/04/xmlenc#sha256' };
export const GCM = 'http://www.w3.org/2009/xmlenc11#aes256-gcm';
export const CBC = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';
type Encryption = typeof GCM | typeof CBC;
const NAMESPACES = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';

export type AskedFor = { id: string | null; acs: string; entityId: string };
/** Changes that a test makes to a good answer. Times in seconds from now. */
export type Answered = {
  nameId: string;
  format: string;
  attributes: Record<string, string | string[]>;
  issuer: string;
  responseIssuer: string;
  audience: string;
  recipient: string;
  destination: string;
  inResponseTo: string | null;
  from: number;
  until: number;
  assertionId: string;
  status: string;
  key: SamlKey;
  algorithms: typeof SHA256;
  signsAssertion: boolean;
  signsResponse: boolean;
  /** Changes of the assertion before it is signed, of the assertion once it is, and of the whole answer. */
  before: (assertion: string) => string;
  after: (assertion: string) => string;
  whole: (response: string) => string;
};

let answers = 0;

export class SamlIdp {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly key: SamlKey;

  private constructor(name: string, key: SamlKey) {
    this.entityId = `https://${name}.example/saml`;
    this.ssoUrl = `https://${name}.example/sso?tenant=a%20b`;
    this.key = key;
  }

  static async create(name: string): Promise<SamlIdp> {
    return new SamlIdp(name, await makeCertificate(name, new Date()));
  }

  /** Its description of itself, with these certificates beside its own. */
  metadata({ more = [], attributes = '' }: { more?: readonly string[]; attributes?: string } = {}): string {
    const keys = [this.key.certificate, ...more].map(
      (
        certificate,
      ) => `<KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
        ${certificate.replace(/.{64}/g, '$&\n')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.entityId}" ${attributes}>
        <!-- a word of theirs -->
        <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join('')}
          <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${this.ssoUrl}"/>
        </IDPSSODescriptor>
      </EntityDescriptor>`;
  }

  /** The request in a redirect. Throws where it was not signed by the key of this certificate (base64). */
  read(url: string, certificate: string): AskedFor {
    const { searchParams, search } = new URL(url);
    const signed = search.slice(search.indexOf('SAMLRequest=')).replace(/&Signature=.*$/, '');
    const key = createPublicKey(new X509Certificate(Buffer.from(certificate, 'base64')).publicKey.export({ type: 'spki', format: 'pem' }));
    const signature = Buffer.from(searchParams.get('Signature') ?? '', 'base64');
    if (!verify('sha256', Buffer.from(signed), key, signature)) throw new Error('the request is not signed');
    const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8');
    const one = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
    return { id: one(/ ID="([^"]+)"/), acs: one(/AssertionConsumerServiceURL="([^"]+)"/), entityId: one(/Issuer[^>]*>([^<]+)</) };
  }

  assertionOf(asked: AskedFor, changes: Partial<Answered> = {}): string {
    const said = this.said(asked, changes);
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const answersTo = said.inResponseTo === null ? '' : ` InResponseTo="${said.inResponseTo}"`;
    const attributes = Object.entries(said.attributes).map(([name, value]) => {
      const values = [value].flat().map((one) => `<saml:AttributeValue>${one}</saml:AttributeValue>`);
      return `<saml:Attribute Name="${name}">${values.join('')}</saml:Attribute>`;
    });
    const assertion = said.before(
      `<saml:Assertion ${NAMESPACES} ID="${said.assertionId}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${said.issuer}</saml:Issuer>` +
        `<saml:Subject><saml:NameID Format="${said.format}">${said.nameId}</saml:NameID>` +
        '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">' +
        `<saml:SubjectConfirmationData Recipient="${said.recipient}" NotOnOrAfter="${at(said.until)}"${answersTo}/></saml:SubjectConfirmation>` +
        `</saml:Subject><saml:Conditions NotBefore="${at(said.from)}" NotOnOrAfter="${at(said.until)}"><saml:AudienceRestriction>` +
        `<saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
        `<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="a session"><saml:AuthnContext><saml:AuthnContextClassRef>` +
        'urn:company:one</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>' +
        `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`,
    );
    return said.after(said.signsAssertion ? sign(assertion, 'Assertion', said) : assertion);
  }

  /** The answer in base64, around this assertion or one of its own. */
  answer(asked: AskedFor, changes: Partial<Answered> = {}, assertion = this.assertionOf(asked, changes)): string {
    const said = this.said(asked, changes);
    const answersTo = said.inResponseTo === null ? '' : ` InResponseTo="${said.inResponseTo}"`;
    const response =
      `<samlp:Response ${NAMESPACES} ID="_response-${++answers}" Version="2.0" IssueInstant="${new Date().toISOString()}" ` +
      `Destination="${said.destination}"${answersTo}><saml:Issuer>${said.responseIssuer}</saml:Issuer><samlp:Status>` +
      `<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${said.status}"/></samlp:Status>${assertion}</samlp:Response>`;
    return packed(said.whole(said.signsResponse ? sign(response, 'Response', said) : response));
  }

  /** The same with the assertion encrypted to this certificate (base64). */
  async encryptedAnswer(
    asked: AskedFor,
    certificate: string,
    changes: Partial<Answered> = {},
    algorithm: Encryption = GCM,
  ): Promise<string> {
    const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
    const encrypted = await promisify(encrypt)(this.assertionOf(asked, changes), {
      rsa_pub: publicKey.export({ type: 'spki', format: 'pem' }),
      pem: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
      encryptionAlgorithm: algorithm,
      keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    });
    return this.answer(asked, changes, `<saml:EncryptedAssertion>${encrypted}</saml:EncryptedAssertion>`);
  }

  private said({ id, acs, entityId }: AskedFor, changes: Partial<Answered>): Answered {
    const same = (text: string) => text;
    return {
      nameId: 'somebody',
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      attributes: {},
      issuer: this.entityId,
      responseIssuer: this.entityId,
      audience: entityId,
      recipient: acs,
      destination: acs,
      inResponseTo: id,
      from: -5,
      until: 300,
      assertionId: `_assertion-${++answers}`,
      status: 'Success',
      key: this.key,
      algorithms: SHA256,
      signsAssertion: true,
      signsResponse: false,
      before: same,
      after: same,
      whole: same,
      ...changes,
    };
  }
}

export const packed = (xml: string) => Buffer.from(xml, 'utf8').toString('base64');

function sign(xml: string, name: 'Assertion' | 'Response', { key, algorithms }: Answered): string {
  const signature = new SignedXml({ privateKey: key.key, signatureAlgorithm: algorithms.signs, canonicalizationAlgorithm: C14N });
  if (algorithms.signs.includes('hmac')) signature.enableHMAC();
  signature.addReference({
    xpath: `/*[local-name(.)="${name}"]`,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', C14N],
    digestAlgorithm: algorithms.digests,
  });
  signature.computeSignature(xml, {
    location: { reference: `/*[local-name(.)="${name}"]/*[local-name(.)="Issuer"]`, action: 'after' },
  });
  return signature.getSignedXml();
}
