import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { CompanySignInError, type SamlProvider } from '#app/contracts/company-sign-in.ts';
import { createCompanySaml } from '#app/platform/saml/company-saml.server.ts';
import { makeCertificate } from '#app/platform/saml/make-certificate.ts';
import { readMetadata } from '#app/platform/saml/read-metadata.ts';
import { readResponse } from '#app/platform/saml/saml-response.ts';
import { packed, SamlIdp } from '#tests/integration/support/saml/saml-idp.ts';

const saml = createCompanySaml(() => Promise.reject(new Error('nothing is fetched here')));
const asked = { id: '_asked', acs: 'https://here.example/acs', entityId: 'https://here.example/entity' };
let idp: SamlIdp;
let provider: SamlProvider;

beforeAll(async () => {
  idp = await SamlIdp.create('acme');
  const settings = {
    ssoUrl: idp.ssoUrl,
    certificates: [idp.key.certificate],
    metadataUrl: null,
    nameId: 'persistent' as const,
    idpInitiated: false,
  };
  provider = { issuer: idp.entityId, entityId: asked.entityId, acs: asked.acs, settings, keys: [await makeCertificate('us', new Date())] };
});

describe('an answer', () => {
  const person = { nameId: 'somebody', attributes: { email: 'somebody@here.example', groups: ['one', 'two'] } };

  test('that was changed anywhere says the same, or is refused', async () => {
    const text = Buffer.from(idp.answer(asked, person), 'base64').toString('utf8');
    const { claims } = await saml.finish(provider, packed(text), asked.id);
    expect(claims).toMatchObject({ subject: 'somebody', claims: { NameID: 'somebody', groups: ['one', 'two'] } });
    const place = fc.nat(text.length - 1);
    const piece = fc.constantFrom('', ' ', 'a', '<', '>', '"', '&amp;', '<!-- -->', '<a/>', '</saml:Assertion>', '\n', '\u0000');
    await fc.assert(
      fc.asyncProperty(place, fc.nat(40), piece, async (at, length, instead) => {
        const changed = text.slice(0, at) + instead + text.slice(at + length);
        try {
          expect((await saml.finish(provider, packed(changed), asked.id)).claims).toEqual(claims);
        } catch (error) {
          if (!(error instanceof CompanySignInError)) throw error;
        }
      }),
      { numRuns: 150 },
    );
  });

  test.each<[string, (assertion: string) => string]>([
    ['two assertions', (one) => one + one.replace(/ ID="[^"]+"/, ' ID="_two"')],
    ['one that is encrypted beside it', (one) => `${one}<saml:EncryptedAssertion/>`],
    ['one inside of something else', (one) => `<samlp:Extensions>${one}</samlp:Extensions>`],
    ['an ID twice', (one) => one.replace('<saml:Subject>', '<saml:Subject ID="_asserted">')],
    [
      'a signature elsewhere',
      (one) => one.replace('<saml:Subject>', '<saml:Subject><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>'),
    ],
    ['none', () => ''],
  ])('with %s is refused before any signature is looked at', (_, wrap) => {
    const assertion = idp.assertionOf(asked, { ...person, assertionId: '_asserted' });
    expect(() => readResponse(idp.answer(asked, person, wrap(assertion)))).toThrow(CompanySignInError);
    expect(readResponse(idp.answer(asked, person, assertion))).toMatchObject({ inResponseTo: asked.id, encrypted: null });
  });
});

describe('metadata', () => {
  const now = Date.parse('2026-11-27T12:00:00Z');
  const faultOf = (text: string) => {
    try {
      return readMetadata(text, now);
    } catch (error) {
      return error;
    }
  };

  test('of one provider gives its address and all certificates that may sign', async () => {
    const other = await makeCertificate('other', new Date());
    const text = idp.metadata({ more: [other.certificate], attributes: 'validUntil="2026-11-27T12:00:01Z"' });
    const expected = { entityId: idp.entityId, ssoUrl: idp.ssoUrl, certificates: [idp.key.certificate, other.certificate] };
    expect(readMetadata(text, now)).toEqual(expected);
    const list = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${text.replace(/<\?xml.*\?>/, '')}</EntitiesDescriptor>`;
    expect(readMetadata(list, now)).toEqual(expected);
  });

  test.each<[string, string, (good: string) => string]>([
    ['no XML', 'xml', () => 'metadata'],
    [
      'a document type',
      'xml',
      (good) => good.replace('<EntityDescriptor', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><EntityDescriptor'),
    ],
    ['more letters than any has', 'xml', (good) => good.padEnd(300_000)],
    ['no identity provider', 'noProvider', (good) => good.replaceAll('IDPSSODescriptor', 'SPSSODescriptor')],
    ['an older SAML', 'noProvider', (good) => good.replace('SAML:2.0:protocol"', 'SAML:1.1:protocol"')],
    ['two roles', 'several', (good) => good.replace(/<IDPSSODescriptor[\s\S]*<\/IDPSSODescriptor>/, '$&$&')],
    ['an end that has passed', 'expired', (good) => good.replace('entityID', 'validUntil="2026-11-27T12:00:00Z" entityID')],
    ['an end that nobody can read', 'expired', (good) => good.replace('entityID', 'validUntil="tomorrow" entityID')],
    ['no redirect', 'noRedirect', (good) => good.replace('HTTP-Redirect', 'HTTP-Artifact')],
    ['an address that is not https', 'address', (good) => good.replace('https://acme.example/sso', 'http://acme.example/sso')],
    ['an address of a script', 'address', (good) => good.replace('https://acme.example/sso', 'javascript:alert(1)//')],
    ['a certificate that is none', 'certificates', (good) => good.replace(/<ds:X509Certificate>[^<]+/, '<ds:X509Certificate>AAAA')],
    ['no certificate', 'certificates', (good) => good.replace(/<KeyDescriptor[\s\S]*<\/KeyDescriptor>/, '')],
    ['a certificate for encryption alone', 'certificates', (good) => good.replace('use="signing"', 'use="encryption"')],
  ])('with %s is refused', (_, fault, change) => {
    const good = idp.metadata();
    expect(change(good)).not.toBe(good);
    expect(faultOf(change(good))).toMatchObject({ name: 'SamlMetadataError', fault });
  });

  test('of ours is read by others as one service, which signs with both certificates', async () => {
    const certificates = [provider.keys[0]?.certificate ?? '', idp.key.certificate];
    const text = await saml.writeMetadata({ entityId: asked.entityId, acs: asked.acs, certificates });
    expect(text).toContain(`entityID="${asked.entityId}"`);
    expect(text.match(/use="signing"/g)).toHaveLength(2);
    expect(text.match(/use="encryption"/g)).toHaveLength(1);
    expect(text).not.toContain('PRIVATE');
  });
});
