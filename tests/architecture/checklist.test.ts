/**
 * Which test holds each row of the security checklist, areas A to D: a file, and words of the test's title in it.
 * Whoever renames a test names it here anew, so that no row loses its test unseen.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project-root.server.ts';

const integration = (file: string) => `tests/integration/${file}.spec.ts`;
const proof = integration('auth-proof');
const journey = integration('auth-journey');
const session = integration('auth-session');
const hosted = integration('auth-hosted');
const served = integration('served-answers');
const matrix = integration('route-matrix');
const other = integration('rules-other-workspace');
const principals = integration('rls-principals');
const dataApi = integration('rls-data-api');
const account = integration('account');
const members = integration('members');
const web = 'app/platform/http/web-app.test.ts';
const browser = 'tests/e2e/auth.e2e.ts';

type Held = readonly (readonly [file: string, title: string])[];

const ROWS: Record<string, Held> = {
  A1: [[proof, 'signing up (A1)']],
  A2: [[proof, 'asking for a new password (A2)']],
  A3: [
    [integration('embedded-auth'), 'costs one hash, whether or not there is an account (A3)'],
    ['app/features/auth/sign-in/steady-answer.server.test.ts', 'leaves after half a second'],
    [hosted, 'both leave at a beat (A3)'],
  ],
  A4: [[proof, 'signing in (A4)']],
  A5: [[journey, 'after ten wrong passwords is refused from there']],
  A6: [
    [web, 'before a trusted proxy names their address is not their address'],
    [journey, 'after ten wrong passwords is refused from there'],
  ],
  A7: [[journey, 'code cannot be guessed: after six tries']],
  A8: [[journey, 'leads through the mail to a workspace of one’s own']],
  A9: [[hosted, 'in another browser explains itself']],
  A10: [[served, 'is not used up by reading it']],
  A11: [
    [journey, 'that is %s is a page with a way on'],
    [journey, 'that was never sent is refused'],
    [journey, 'older than an hour is refused'],
  ],
  A12: [
    [proof, 'is kept by nobody and told to no other site (A12)'],
    [browser, 'the link of the mail leaves nothing behind'],
  ],
  A13: [[browser, 'a refusal that stands behind the hash of the default link']],
  A14: [
    ['app/domain/web/local-path.test.ts', 'refuses %j'],
    ['app/features/auth/session/return-path.test.ts', 'signing in never leads back to signing in'],
  ],
  A15: [[journey, 'all other sessions end, the owner is told']],
  A16: [
    [account, 'lets the password change against the present one'],
    [account, 'changes the address when the new mailbox confirms'],
    [hosted, 'which a project lets both mailboxes confirm'],
  ],
  A17: [
    [hosted, 'opens nothing else, with our mark or without it'],
    [hosted, 'is none where addresses are confirmed'],
    [hosted, 'is none for a link that calls itself'],
    [journey, 'is what its link is for'],
    [hosted, 'of a recovery is used with the new password alone'],
  ],
  A18: [
    ['tests/hosted/main-job.spec.ts', 'at no address and in no way (A18)'],
    [hosted, 'is asked for after the password, before anything else opens'],
    [hosted, 'is not passed by a link of recovery'],
  ],
  A19: [
    [hosted, 'takes ten wrong codes, then none for a while'],
    [integration('auth-contract'), 'a challenge of a second factor ends'],
    [hosted, 'is asked for after the password, before anything else opens'],
  ],
  A20: [
    [hosted, 'is urged on who alone rules a workspace by a password (A20)'],
    [hosted, 'is set up after the password'],
  ],
  A21: [[journey, 'takes a password as it was chosen: 72 bytes']],
  A22: [[hosted, 'a weak password: one line for each reason']],
  A23: [[hosted, 'too many requests: never told as sent']],
  A24: [[journey, 'does not adopt a session that was planted before']],
  A25: [[web, 'a form of another site (A25, D5)']],
  B1: [[proof, 'only there (B1)']],
  B2: [['app/decisions/0005-the-session-cookie-has-the-projects-name.md', '__Host-']],
  B3: [[session, 'does not make the cookie large']],
  B4: [[proof, 'the parts of a session’s cookie (B4)']],
  B5: [
    [proof, 'is kept by nobody (B5, B6)'],
    [matrix, 'is kept by no shared cache, whatever it is (B5)'],
  ],
  B6: [
    [served, 'data carries the renewed cookie as pages do'],
    [session, 'with the new cookie on a page, a redirect and an error alike'],
  ],
  B7: [[session, 'is renewed once for 20 requests at once']],
  B8: [[proof, 'are sent to sign in (B8)']],
  B9: [
    [served, 'an open stream ends with the session of who reads it'],
    [matrix, 'opens nothing after signing out: no page, data, form or stream (B9)'],
    [browser, 'after signing out the Back button shows nothing private'],
  ],
  B10: [
    [session, 'is a post: reading the page ends nothing'],
    [proof, 'signing out takes all away'],
  ],
  B11: [[proof, 'this device, the others, everywhere (B11)']],
  B12: [
    [account, 'are listed with their browser from the moment of sign-in'],
    [account, 'end one by one, at once, for reading and for changes'],
  ],
  B13: [[members, 'is out with the next request, in every open session']],
  B14: [[proof, 'a session ends by itself (B14)']],
  B15: [
    [session, 'a forged cookie yields nobody'],
    [proof, 'yields nobody (B15)'],
  ],
  B16: [[session, 'a clock that is ten minutes']],
  B17: [
    [session, 'nothing of a token stands in what pages are given'],
    [matrix, 'no token and no open door to other windows (B17'],
  ],
  B18: [[session, '200 parts']],
  C1: [
    [matrix, 'what is read: who may gets an answer'],
    [matrix, 'what is posted by who may not is refused'],
  ],
  C2: [[other, 'takes as long to be not found as what is nowhere (C2)']],
  C3: [[matrix, 'passes no guard that stands above it (C3)']],
  C4: [[dataApi, 'reaches beyond one’s own profile (C4)']],
  C5: [
    [principals, 'every table has row level security (C5)'],
    [principals, 'every view reads with the rights of who asks (C5)'],
    [principals, 'fixes its search path (C5)'],
  ],
  C6: [[dataApi, 'never takes a role from its owner']],
  C7: [[other, 'fields that no form has change nothing, however they are written (C7)']],
  C8: [[integration('rls-guards'), 'a row is never moved to another workspace']],
  C9: [
    [principals, 'refers to rows of that workspace alone (C9)'],
    [principals, 'of another workspace, the owner’s hand neither (C9)'],
  ],
  C10: [[proof, 'gives them no right (C10)']],
  C11: [[members, 'neither demoted nor removed, nor by two who do it to each other at once']],
  C12: [
    [members, 'is for its address alone, works once'],
    [members, 'can be declined, withdrawn and run out'],
  ],
  C13: [[other, 'exported or streamed to the stranger is of another workspace (C13)']],
  C14: [
    [integration('workflows'), 'for twenty who create at once (C14)'],
    [integration('workflows'), 'its number of agents, however they come in (C14)'],
    [integration('runs'), 'by twenty who start at once (C14)'],
  ],
  C15: [[integration('audit-log'), 'refuses changes, removals and places given twice']],
  C16: [[proof, 'the log says who asked for what and where (C16)']],
  D1: [
    [web, 'has a nonce of its own (D1, D2)'],
    [browser, 'no page of many refuses a script of ours'],
  ],
  D2: [[web, 'has a nonce of its own (D1, D2)']],
  D3: [[web, 'carries the headers of a careful server']],
  D4: [[web, 'carries the headers of a careful server']],
  D5: [[web, 'a form of another site (A25, D5)']],
  D6: [
    [web, 'behind the proxy that ends TLS (D6)'],
    [web, 'a forwarded host counts from a trusted proxy alone (D6'],
  ],
  D7: [[web, '(D7)']],
  D8: [[matrix, 'reading changes nothing (D8)']],
  D9: [[web, 'is no method of a page (D9)']],
  D10: [
    [served, 'no page of another site reads an answer'],
    [served, 'a key is nobody on a page, and a session nobody where programs call (D10)'],
  ],
  D11: [
    [served, 'is a text on every screen and in every file'],
    ['app/domain/web/turned-text.test.ts', 'turns nothing'],
    ['app/platform/mail.server.test.ts', 'begins a header or turns the words beside it'],
  ],
  D12: [[matrix, 'is not saved at %s (D12)']],
  D13: [
    ['app/domain/web/csv.test.ts', 'no text begins as a formula does'],
    [served, 'is a text on every screen and in every file'],
  ],
  D14: [[web, '(D14)']],
  D15: [
    [account, 'is refused when it is none, too large or too wide'],
    [account, 'is served to colleagues without what was hidden behind it'],
    ['app/domain/people/picture.test.ts', 'without what was put behind its end'],
  ],
};

const NUMBERS = { A: 25, B: 18, C: 16, D: 15 };

test('every row of areas A to D has its tests', () => {
  const wanted = Object.entries(NUMBERS).flatMap(([area, count]) => Array.from({ length: count }, (_, at) => `${area}${at + 1}`));
  expect(Object.keys(ROWS)).toEqual(wanted);
});

test.each(Object.entries(ROWS))('%s', (_, held) => {
  for (const [file, title] of held) expect(readFileSync(join(projectRoot(), file), 'utf8'), file).toContain(title);
});
