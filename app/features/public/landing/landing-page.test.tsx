import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, expect, test, vi } from 'vitest';
import { AccessibilityProvider, useAccessibilityState } from '#app/components/look/accessibility-provider.tsx';
import { DEFAULT_ACCESSIBILITY } from '#app/domain/people/appearance.ts';
import { LandingPage } from '#app/features/public/landing/landing-page.tsx';
import { getI18n } from '#app/platform/i18n/i18n.server.ts';

const failing = vi.hoisted(() => {
  // Files share their modules: those that import a mock are loaded again, and once more for the next file.
  vi.resetModules();
  return new Set<string>();
});
afterAll(() => void vi.resetModules());

/** The fallback of a section that throws while the server draws it. */
vi.mock('#app/features/public/landing/pricing.tsx', async (load) => {
  const real = await load<typeof import('#app/features/public/landing/pricing.tsx')>();
  return {
    Pricing: () => {
      if (failing.has('pricing')) throw new Error('made to fail');
      return real.Pricing();
    },
  };
});
vi.mock('#app/features/public/frame/public-bar.tsx', async (load) => {
  const real = await load<typeof import('#app/features/public/frame/public-bar.tsx')>();
  return {
    ...real,
    PublicBar: () => {
      if (failing.has('bar')) throw new Error('made to fail');
      return real.PublicBar();
    },
  };
});

function Page({ children }: { children: ReactNode }) {
  return <AccessibilityProvider state={useAccessibilityState(DEFAULT_ACCESSIBILITY, false)}>{children}</AccessibilityProvider>;
}

async function serve(): Promise<string> {
  const router = createMemoryRouter([{ id: 'root', path: '/', element: <LandingPage /> }]);
  const body = new PassThrough();
  const { pipe } = renderToPipeableStream(
    <I18nextProvider i18n={getI18n({ get: () => expect.fail() } as never)}>
      <Page>
        <RouterProvider router={router} />
      </Page>
    </I18nextProvider>,
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onShellReady: () => pipe(body), onError: () => undefined },
  );
  return text(body);
}

/** The page as a reader without scripts sees it: without the templates and hidden blocks that wait for a script. */
const withoutScripts = (html: string) => html.replaceAll(/<(template|div hidden)[\s\S]*?<\/\1>/g, '');

test('all stands in what the server sends, and nothing waits for a script', async () => {
  failing.clear();
  const html = await serve();
  expect(html).not.toContain('temporarily unavailable');
  expect(html).not.toMatch(/<script|<div hidden/);
  for (const id of ['features', 'demo', 'about', 'testimonials', 'pricing']) expect(html).toContain(`id="${id}"`);
});

test('a section that fails on the server says so, and the others stand', async () => {
  failing.add('pricing');
  const html = withoutScripts(await serve());
  expect(html.match(/This section is temporarily unavailable\./g)).toHaveLength(1);
  expect(html).toContain('>Pricing</h2>');
  expect(html).not.toContain('id="pricing"');
  for (const id of ['features', 'about', 'testimonials', 'trust-title']) expect(html).toContain(`id="${id}"`);
});

test('a bar that fails leaves the name and the two buttons', async () => {
  failing.clear();
  failing.add('bar');
  const [bar = ''] = /<header[\s\S]*?<\/header>/.exec(withoutScripts(await serve())) ?? [];
  expect(bar).toContain('Quorate');
  expect(bar).toContain('Sign In');
  expect(bar).toContain('Get Started');
  expect(bar).not.toContain('/#features');
});
