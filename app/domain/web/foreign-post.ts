/**
 * Where an answer of a SAML provider comes in: the one address that a browser may be made to post to by another site. It reads no cookie and
 * changes nothing; what counts is bound to the browser by the page that posts the answer on.
 */
const ANSWER = /^\/sign-in\/company\/saml\/[0-9a-f-]{36}\/acs$/;
export const isForeignPost = (path: string): boolean => ANSWER.test(path);
