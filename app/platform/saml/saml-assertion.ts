import { type CompanyClaims, CompanySignInError, type SamlAnswer, type SamlProvider } from '#app/contracts/company-sign-in.ts';
import { ASSERTION, attributeOf, childrenOf, onlyChild, parseSafely, textOf, timeOf } from '#app/platform/saml/saml-document.ts';
import { orRefused, refused } from '#app/platform/saml/saml-response.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const LONGEST_SUBJECT = 255;
const MOST_ATTRIBUTES = 200;
/** The difference that the clocks of two machines may have. */
export const SKEW_MS = 60_000;
/** An assertion's id is kept as long as it holds. */
const LONGEST_LIFE_MS = 7 * 24 * 3_600_000;

/**
 * The person in an assertion whose signature holds, once it is of this provider, for us, and the answer to what was asked (SAML 2.0 profiles,
 * section 4.1.4.3). Its times and its audience have been checked before.
 * @param text the very bytes that were signed
 * @param request the id that it has to answer; null: it may answer none
 * @throws CompanySignInError
 */
export function readAssertion(text: string, provider: SamlProvider, request: string | null, now: number): SamlAnswer {
  return orRefused(() => {
    const assertion = parseSafely(text, { bare: true });
    if (assertion.namespaceURI !== ASSERTION || attributeOf(assertion, 'Version') !== '2.0') throw refused('not an assertion');
    const issuer = textOf(onlyChild(assertion, ASSERTION, 'Issuer'));
    if (issuer !== provider.issuer) throw new CompanySignInError('issuer', new Error('the assertion names another issuer'));
    const id = attributeOf(assertion, 'ID');
    const subject = onlyChild(assertion, ASSERTION, 'Subject');
    const statement = childrenOf(assertion, ASSERTION, 'AuthnStatement')[0];
    if (id === null || subject === null || statement === undefined) throw refused('no id, subject or word of a sign-in');
    return { id, until: new Date(confirm(subject, provider, request, now)), claims: claimsOf(assertion, subject, statement) };
  });
}

/** Returns until when the assertion may be handed in, in milliseconds since 1970. */
function confirm(subject: Element, { acs }: SamlProvider, request: string | null, now: number): number {
  const confirmation = onlyChild(subject, ASSERTION, 'SubjectConfirmation');
  const data = confirmation === null ? null : onlyChild(confirmation, ASSERTION, 'SubjectConfirmationData');
  if (attributeOf(confirmation, 'Method') !== BEARER || data === null) throw refused('another confirmation of the subject');
  if (attributeOf(data, 'Recipient') !== acs) throw new CompanySignInError('audience', new Error('another recipient'));
  if (attributeOf(data, 'InResponseTo') !== request) throw new CompanySignInError('state', new Error('the answer to another request'));
  const from = timeOf(attributeOf(data, 'NotBefore'));
  if (from !== null && now + SKEW_MS < from) throw new CompanySignInError('time', new Error('not yet'));
  const until = timeOf(attributeOf(data, 'NotOnOrAfter'));
  if (until === null || now - SKEW_MS >= until || until > now + LONGEST_LIFE_MS)
    throw new CompanySignInError('time', new Error('no end, one that has passed, or one that never comes'));
  return until + SKEW_MS;
}

function claimsOf(assertion: Element, subject: Element, statement: Element): CompanyClaims {
  const nameId = onlyChild(subject, ASSERTION, 'NameID');
  const name = textOf(nameId);
  if (name === null || name === '' || name.length > LONGEST_SUBJECT || attributeOf(nameId, 'Format') === TRANSIENT)
    throw new CompanySignInError('nameId', new Error('no name that stays'));
  const context = onlyChild(statement, ASSERTION, 'AuthnContext');
  const at = timeOf(attributeOf(statement, 'AuthnInstant'));
  return {
    subject: name,
    sid: attributeOf(statement, 'SessionIndex'),
    amr: [],
    acr: context === null ? null : textOf(onlyChild(context, ASSERTION, 'AuthnContextClassRef')),
    authTime: at === null ? null : at / 1000,
    claims: { ...attributesOf(assertion), NameID: name },
  };
}

/** By the name of the attribute its value, or its values where it has several. */
function attributesOf(assertion: Element): Record<string, string | string[]> {
  const attributes = childrenOf(assertion, ASSERTION, 'AttributeStatement').flatMap((one) => childrenOf(one, ASSERTION, 'Attribute'));
  return Object.fromEntries(
    attributes.slice(0, MOST_ATTRIBUTES).flatMap((attribute) => {
      const values = childrenOf(attribute, ASSERTION, 'AttributeValue').map((value) => textOf(value) ?? '');
      const name = attributeOf(attribute, 'Name');
      const [first] = values;
      return name === null || first === undefined ? [] : [[name, values.length === 1 ? first : values] as const];
    }),
  );
}
