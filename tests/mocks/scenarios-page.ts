/**
 * `/dev/scenarios`, only in `npm run dev:mocked`: where a front-end developer chooses what goes wrong, reads the mails and
 * finds the people to sign in as. A middleware of the launcher and no route, so that no build can hold it.
 */
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { getResponse, type HttpHandler } from 'msw';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import {
  currentScenario,
  inScenario,
  readScenario,
  SCENARIO_COOKIE,
  SCENARIO_EFFECTS,
  SCENARIOS,
  scenarioOf,
} from '#tests/mocks/scenarios.ts';

export type CaughtMail = { to: string; subject: string; text: string };
export type MockedPerson = { name: string; email: string; password: string; about: string };

const PATH = '/dev/scenarios';

/** Serves the page, and runs every other request in the scenario that it asks for. */
export function serveScenarios(options: {
  mock: MockBackend;
  handlers: readonly HttpHandler[];
  people: readonly MockedPerson[];
  caughtMails(): Promise<CaughtMail[]>;
}): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const scenario = scenarioOf({ cookie: request.headers.cookie, 'x-quorate-scenario': request.headers['x-quorate-scenario'] });
    if (request.path !== PATH && request.path !== `${PATH}/link`) {
      const present = scenario ?? currentScenario();
      const begin = () => (scenario === null ? next() : inScenario(scenario, next));
      if (present !== 'session-not-found') return begin();
      endSessionOf(options.mock, request.headers.cookie).then(begin, next);
      return;
    }
    response.set('Cache-Control', 'no-store');
    answer(options, request, response, scenario ?? currentScenario()).catch(next);
  };
}

/** The product checks a token on its own and then looks for its session's row: to be over, a session has to be gone there. */
async function endSessionOf(mock: MockBackend, cookies: string | undefined): Promise<void> {
  const parts = [...(cookies ?? '').matchAll(/(?:^|;\s*)sb-[\w-]+?-auth-token(?:\.(\d+))?=([^;]+)/g)];
  const value = parts
    .sort(([, one = '0'], [, other = '0']) => Number(one) - Number(other))
    .map(([, , part = '']) => part)
    .join('');
  const token = /"access_token":"([^"]+)"/.exec(Buffer.from(value.replace(/^base64-/, ''), 'base64url').toString('utf8'))?.[1] ?? '';
  const over = mock.signer.verified(token, mock.now())?.session_id;
  if (over !== undefined) await mock.endSessions(({ id }) => id === over);
}

async function answer(
  { mock, handlers, people, caughtMails }: Parameters<typeof serveScenarios>[0],
  request: Request,
  response: Response,
  scenario: string,
): Promise<void> {
  if (request.path === `${PATH}/link`) return followDefaultLink(handlers, mock, request, response);
  const wish = request.method === 'POST' ? new URLSearchParams(await textOf(request)).get('scenario') : request.query.set;
  if (typeof wish === 'string') {
    const chosen = readScenario(wish);
    if (chosen === null) {
      response.status(400).type('text/plain').send('There is no such scenario.\n');
      return;
    }
    response.setHeader('Set-Cookie', `${SCENARIO_COOKIE}=${chosen}; Path=/; HttpOnly; SameSite=Lax`);
    response.redirect(303, PATH);
    return;
  }
  response.type('html').send(page({ scenario, people, mock, mails: await caughtMails() }));
}

/** What the default link of a hosted project does; nothing listens at the mocked address that it names. */
async function followDefaultLink(handlers: readonly HttpHandler[], mock: MockBackend, request: Request, response: Response): Promise<void> {
  const { search } = new URL(request.originalUrl, mock.settings.siteUrl);
  const headers = { apikey: mock.settings.publishableKey };
  const found = await getResponse(
    [...handlers],
    new Request(`${mock.settings.url}/auth/v1/verify${search}`, { headers, redirect: 'manual' }),
  );
  response.redirect(303, found?.headers.get('Location') ?? PATH);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const linked = (text: string) => escaped(text).replace(/https?:\/\/[^\s<>"]+/g, (address) => `<a href="${address}">${address}</a>`);

function page({
  scenario,
  people,
  mock,
  mails,
}: {
  scenario: string;
  people: readonly MockedPerson[];
  mock: MockBackend;
  mails: readonly CaughtMail[];
}): string {
  const choices = SCENARIOS.map(
    (name) =>
      `<li><button name="scenario" value="${name}"${name === scenario ? ' aria-pressed="true"' : ''}>${name}</button> ${escaped(SCENARIO_EFFECTS[name])}</li>`,
  ).join('');
  const persons = people
    .map(
      ({ name, email, password, about }) =>
        `<tr><th scope="row">${escaped(name)}</th><td>${escaped(email)}</td><td><code>${escaped(password)}</code></td><td>${escaped(about)}</td></tr>`,
    )
    .join('');
  const auth = [...mock.mails]
    .reverse()
    .map(({ kind, to, code, tokenHash, redirectTo }) => {
      const own = `/auth/confirm?${new URLSearchParams({ token_hash: tokenHash, type: kind })}`;
      const standard = `${PATH}/link?${new URLSearchParams({ token: tokenHash, type: kind, redirect_to: redirectTo })}`;
      return `<tr><td>${kind}</td><td>${escaped(to)}</td><td><code>${code}</code></td><td><a href="${escaped(own)}">our link</a>, <a href="${escaped(standard)}">the default link</a></td></tr>`;
    })
    .join('');
  const own = mails
    .map(
      ({ to, subject, text }) => `<details><summary>${escaped(subject)}, to ${escaped(to)}</summary><pre>${linked(text)}</pre></details>`,
    )
    .join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Scenarios of the mocked backend</title>
<style>body{font:16px/1.5 system-ui;max-inline-size:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}ul{list-style:none;padding:0}li{margin:.4rem 0}button{font:inherit;min-inline-size:11rem;padding:.25rem .5rem}button[aria-pressed]{outline:2px solid;font-weight:700}td,th{text-align:start;padding:.2rem .8rem .2rem 0}pre{white-space:pre-wrap}div{overflow-x:auto}</style>
<main><h1>Scenarios of the mocked backend</h1>
<p>In force for this browser: <strong>${escaped(scenario)}</strong>. For one request send <code>X-Quorate-Scenario</code>, for the process set <code>QUORATE_SCENARIO</code>. <a href="/">Open the product</a>, <a href="/auth">sign in</a>, <a href="/docs/mocking">how to add a scenario</a>.</p>
<form method="post" action="${PATH}"><ul>${choices}</ul></form>
<h2>People</h2><div><table>${persons}</table></div>
<h2>Mails of the auth service</h2><div><table>${auth || '<tr><td>None yet.</td></tr>'}</table></div>
<h2>Mails of the product</h2>${own || '<p>None yet.</p>'}</main></html>`;
}
