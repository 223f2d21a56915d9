import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { noticeMiddleware, redirectWithNotice, takeNotice } from '#app/components/page/notice.server.ts';

type Arguments = Parameters<typeof noticeMiddleware>[0];

async function visit(cookie: string, take: boolean) {
  const context = new RouterContextProvider();
  const request = new Request('http://localhost/dashboard', { headers: { Cookie: cookie } });
  let flash: ReturnType<typeof takeNotice> = null;
  const answer = await noticeMiddleware(
    { request, context, params: {}, url: new URL(request.url), pattern: '/' } as Arguments,
    async () => {
      if (take) flash = takeNotice(context);
      return new Response('page');
    },
  );
  if (!(answer instanceof Response)) return expect.fail('no response');
  return { flash, cookie: answer.headers.get('Set-Cookie') };
}

test('a notice goes with a redirect, is shown by the next page and then taken back', async () => {
  const response = redirectWithNotice('/dashboard', 'saved' as never, { values: { name: 'Ä; b' } });
  expect(response.status).toBe(303);
  const cookie = response.headers.get('Set-Cookie')?.split(';')[0] ?? '';

  const shown = await visit(`lng=en; ${cookie}`, true);
  expect(shown.flash).toEqual({ key: 'saved', kind: 'ok', values: { name: 'Ä; b' } });
  expect(shown.cookie).toContain('Max-Age=0');
});

test('a notice that no page has shown stays for the next', async () => {
  const cookie =
    redirectWithNotice('/dashboard', 'saved' as never)
      .headers.get('Set-Cookie')
      ?.split(';')[0] ?? '';
  expect((await visit(cookie, false)).cookie).toBeNull();
});

test.each(['notice=nonsense', 'notice=%7B%22key%22%3A1%7D', 'notice=%E0%A4%A', ''])('what is no notice is ignored: %s', async (cookie) => {
  expect((await visit(cookie, true)).flash).toBeNull();
});
