import { createStaticHandler, type RouteObject, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { answerFailures } from '#app/components/page/problem.server.ts';
import { clientContext } from '#app/contracts/request-context.ts';
import { languageMiddleware } from '#app/platform/i18n/i18n.server.ts';

async function choose(address: string, secure: boolean) {
  const context = new RouterContextProvider();
  context.set(clientContext, { address: '203.0.113.7', secure });
  const routes = [{ path: '*', middleware: [answerFailures, ...languageMiddleware], loader: () => new Response('page') }] as RouteObject[];
  const handler = createStaticHandler(routes);
  const answer: Response = await handler.queryRoute(new Request(address), {
    requestContext: context,
    generateMiddlewareResponse: (query) => query(new Request(address)),
  });
  return answer.headers.getSetCookie();
}

test('the cookie of a chosen language is Secure where the public origin is https, and only there', async () => {
  expect(await choose('https://quorate.bank.example/dashboard?lng=he', true)).toEqual([expect.stringMatching(/^lng=he; .*; Secure$/)]);
  expect(await choose('http://localhost:3000/dashboard?lng=he', false)).toEqual([expect.not.stringMatching(/secure/i)]);
});
