import { RouterContextProvider } from 'react-router';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, chooseSidebar, sidebarCollapsed } from '#app/features/shell/preferences.server.ts';
import { getLanguage, getTranslator, languageMiddleware, translatorFor } from '#app/platform/i18n/i18n.server.ts';

function post(fields: Record<string, string>): Request {
  return new Request('http://localhost/preferences', { method: 'POST', body: new URLSearchParams(fields) });
}

describe('a choice', () => {
  it('is kept, and leads back to where it was made', async () => {
    const answer = await chooseLanguage(post({ language: 'ar', next: '/dashboard/runs?page=2&lng=en' }));
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe('/dashboard/runs?page=2');
    expect(answer.headers.get('Set-Cookie')).toMatch(/^lng=ar; Path=\/; Max-Age=31536000; SameSite=Lax$/);
  });

  it('of the sidebar lasts seven days', async () => {
    const answer = await chooseSidebar(post({ state: 'collapsed', next: '/dashboard' }));
    expect(answer.headers.get('Set-Cookie')).toContain('Max-Age=604800');
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('never leads to another origin: %s', async (next) => {
    const answer = await chooseSidebar(post({ state: 'collapsed', next }));
    expect(answer.headers.get('Location')).toBe('/');
  });

  it('that there is not changes nothing', async () => {
    expect((await chooseLanguage(post({ language: 'xx', next: '/' }))).headers.get('Set-Cookie')).toBeNull();
  });
});

describe('a cookie', () => {
  const withCookie = (cookie: string) => new Request('http://localhost/', { headers: { Cookie: cookie } });

  it('says how the sidebar is', () => {
    expect(sidebarCollapsed(withCookie('sidebar_state=collapsed'))).toBe(true);
    expect(sidebarCollapsed(withCookie('xsidebar_state=collapsed'))).toBe(false);
  });
});

describe('the language of a request', () => {
  async function languageOf(path: string, headers: Record<string, string>) {
    const context = new RouterContextProvider();
    const request = new Request(`http://localhost${path}`, { headers });
    const [detect, keep] = languageMiddleware;
    if (!detect || !keep) return expect.fail('two middlewares are expected');
    const step = { request, context, params: {}, url: new URL(request.url), pattern: '/' } as Parameters<typeof detect>[0];
    const answer = await detect(step, async () => (await keep(step, async () => new Response(getLanguage(context)))) as Response);
    if (!(answer instanceof Response)) return expect.fail('no response');
    return { language: await answer.text(), cookie: answer.headers.get('Set-Cookie') };
  }

  it.each([
    ['/?lng=he', { Cookie: 'lng=fr', 'Accept-Language': 'de' }, 'he'],
    ['/', { Cookie: 'lng=fr', 'Accept-Language': 'de' }, 'fr'],
    ['/', { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' }, 'de'],
    ['/?lng=xx', { Cookie: 'lng=yy', 'Accept-Language': 'zz' }, 'en'],
    ['/', {}, 'en'],
    // Java and old phones name Hebrew so.
    ['/?lng=iw', { 'Accept-Language': 'de' }, 'he'],
    ['/', { Cookie: 'lng=iw' }, 'he'],
    ['/', { 'Accept-Language': 'iw-IL,iw;q=0.9,en;q=0.5' }, 'he'],
    ['/', { 'Accept-Language': 'en,iw;q=0.5' }, 'en'],
  ])('%s with %j is %s', async (path, headers, language) => {
    expect((await languageOf(path, headers as Record<string, string>)).language).toBe(language);
  });

  it('that the address asks for is kept', async () => {
    expect((await languageOf('/?lng=es', {})).cookie).toContain('lng=es');
    expect((await languageOf('/', { 'Accept-Language': 'es' })).cookie).toBeNull();
  });
});

it('texts are English where no middleware has run', () => {
  expect(translatorFor('en', 'common')('productName')).toBe('Quorate');
  expect(getTranslator(new RouterContextProvider(), 'common')('productName')).toBe('Quorate');
});
