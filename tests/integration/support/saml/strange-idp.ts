/** A SAML identity provider that others have written, on this machine: `samlify`, whose people sign in without a page. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as samlify from 'samlify';
import { makeCertificate } from '#app/platform/saml/make-certificate.ts';

export type StrangeIdp = {
  entityId: string;
  metadata: string;
  metadataUrl: string;
  /** The person who signs in next. */
  person: { nameId: string; email: string; name: string };
  /** Whether assertions are encrypted. */
  encrypts: boolean;
  /** Its page in the place of a browser: the address that it posts to, and the fields. Throws what it answers to a request that it refuses. */
  signIn(url: string): Promise<{ to: string; form: Record<string, string> }>;
  /** Takes our metadata in, as an administrator there does. */
  trust(ourMetadata: string): void;
  close(): Promise<void>;
};

const ATTRIBUTES = ['email', 'name'] as const;
/** Its template has a place for it, and escapes what is put there. */
const AUTHN_STATEMENT =
  '<saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="{SessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>' +
  'urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>';

/** `host`: by another name of this machine than the service's, it is another site to a browser. */
export async function startStrangeIdp(host: '127.0.0.1' | 'localhost' = '127.0.0.1'): Promise<StrangeIdp> {
  // It leaves the schema to its users, and ours are not written by strangers here.
  samlify.setSchemaValidator({ validate: async () => 'not looked at' });
  const key = await makeCertificate('a stranger', new Date());
  let service: samlify.ServiceProviderInstance | null = null;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider = samlify.IdentityProvider({
    entityID: `${origin}/entity`,
    privateKey: key.key,
    signingCert: key.certificate,
    wantAuthnRequestsSigned: true,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${origin}/sso` }],
    loginResponseTemplate: {
      context: samlify.SamlLib.defaultLoginResponseTemplate.context.replace('{AuthnStatement}', AUTHN_STATEMENT),
      attributes: ATTRIBUTES.map((name) => ({
        name,
        valueTag: name,
        nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
        valueXsiType: 'xs:string',
      })),
    },
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    if (url.pathname === '/metadata')
      return void response.setHeader('Content-Type', 'application/samlmetadata+xml').end(provider.getMetadata());
    try {
      if (service === null) throw new Error('no service is known here');
      const query = Object.fromEntries(url.searchParams);
      const octetString = (request.url ?? '').replace(/^[^?]*\?/, '').replace(/&Signature=.*$/, '');
      const asked = await provider.parseLoginRequest(service, 'redirect', { query, octetString });
      const { context, entityEndpoint } = await respond(service, asked);
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pageOf(entityEndpoint, context));
    } catch (error) {
      response.writeHead(403).end(String(error));
    }
  }

  function respond(to: samlify.ServiceProviderInstance, asked: Awaited<ReturnType<typeof provider.parseLoginRequest>>) {
    // Its default (CBC) is opened inside a signed response alone. Its types do not name the setting.
    Object.assign(provider.entitySetting, {
      isAssertionEncrypted: idp.encrypts,
      dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    });
    const fill = (template: string) => {
      const id = `_${crypto.randomUUID()}`;
      const acs = [to.entityMeta.getAssertionConsumerService('post')].flat()[0] ?? '';
      const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
      const values = {
        ID: id,
        AssertionID: `_${crypto.randomUUID()}`,
        Destination: acs,
        Audience: to.entityMeta.getEntityID(),
        SubjectRecipient: acs,
        Issuer: provider.entityMeta.getEntityID(),
        IssueInstant: at(0),
        ConditionsNotBefore: at(-5),
        ConditionsNotOnOrAfter: at(300),
        SubjectConfirmationDataNotOnOrAfter: at(300),
        StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
        NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        NameID: idp.person.nameId,
        InResponseTo: String(asked.extract.request?.id),
        SessionIndex: id,
        attrEmail: idp.person.email,
        attrName: idp.person.name,
      };
      return { id, context: samlify.SamlLib.replaceTagsByValue(template, values) };
    };
    return provider.createLoginResponse(to, { ...asked }, 'post', {}, fill) as Promise<{ context: string; entityEndpoint: string }>;
  }

  const idp: StrangeIdp = {
    entityId: `${origin}/entity`,
    metadata: provider.getMetadata(),
    metadataUrl: `${origin}/metadata`,
    person: { nameId: 'nobody', email: '', name: '' },
    encrypts: false,
    async signIn(url) {
      const response = await fetch(url);
      if (response.status !== 200) throw new Error(await response.text());
      const [, to = '', SAMLResponse = ''] = /action="([^"]+)"[\s\S]*value="([^"]+)"/.exec(await response.text()) ?? [];
      return { to, form: { SAMLResponse, RelayState: '' } };
    },
    trust: (ourMetadata) => {
      service = samlify.ServiceProvider({ metadata: ourMetadata });
    },
    close: () =>
      new Promise<void>((closed, failed) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? closed() : failed(error)));
      }),
  };
  return idp;
}

const pageOf = (to: string, answer: string) =>
  `<!doctype html><html lang="en"><title>A provider</title><form method="post" action="${to}">
  <input type="hidden" name="SAMLResponse" value="${answer}"><button>Go on to the service</button></form></html>`;
