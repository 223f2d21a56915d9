import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { createAnnouncements } from '#app/components/live/announcements.ts';
import { AccessibilityProvider, useAccessibility, useAccessibilityState } from '#app/components/look/accessibility-provider.tsx';
import { reconcileSettings } from '#app/components/look/accessibility-storage.ts';
import {
  type AccessibilitySettings,
  DEFAULT_ACCESSIBILITY,
  formatAccessibility,
  parseAccessibility,
} from '#app/domain/people/appearance.ts';

function Settings() {
  return <i>{JSON.stringify(useAccessibility().settings)}</i>;
}

function Page({ saved }: { saved: AccessibilitySettings }) {
  const state = useAccessibilityState(saved, false);
  return (
    <div className={state.className}>
      <AccessibilityProvider state={state}>
        <Settings />
      </AccessibilityProvider>
    </div>
  );
}

test('the first byte has the classes of what is on', () => {
  const html = renderToString(<Page saved={{ ...DEFAULT_ACCESSIBILITY, highContrast: true, largerText: true }} />);
  expect(html).toContain('class="high-contrast larger-text keyboard-navigation"');
  expect(html.replaceAll('&quot;', '"')).toContain('"largerText":true');
  expect(html).toContain('aria-live="polite"');
});

test('throws outside its provider', () => {
  expect(() => renderToString(<Settings />)).toThrow('useAccessibility must be used within an AccessibilityProvider');
});

describe('browser and server', () => {
  const plain = DEFAULT_ACCESSIBILITY;
  const large = { ...plain, largerText: true };
  const still = { ...plain, reduceMotion: true };
  const text = formatAccessibility;

  it.each([
    ['the server, where the browser knows nothing', large, null, null, large, false],
    ['the server, where the browser holds nonsense', large, '[1', null, large, false],
    ['the browser, where they never agreed on anything', plain, text(large), null, large, true],
    ['the server, where it alone has changed', still, text(large), text(large), still, false],
    ['the browser, where it alone has changed', plain, text(large), text(plain), large, true],
    ['the browser, where both have', still, text(large), text(plain), large, true],
  ])('that differ: %s counts', (_case, saved, stored, agreed, settings, notifyServer) => {
    expect(reconcileSettings(saved, stored, agreed)).toEqual({ settings, notifyServer });
  });

  it('read what was stored, and take for granted what was not', () => {
    expect(parseAccessibility('{"largerText":true,"highContrast":"yes"}')).toEqual(large);
    expect(parseAccessibility('[]')).toBeNull();
    expect(parseAccessibility('{')).toBeNull();
  });
});

describe('announcements', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('stand for a second each, the same words as often as they are said', () => {
    const { announce, list, subscribe } = createAnnouncements();
    const heard: string[][] = [];
    subscribe(() => heard.push(list().map(({ text }) => text)));
    announce('Saved');
    vi.advanceTimersByTime(600);
    announce('Saved');
    expect(new Set(list().map(({ id }) => id)).size).toBe(2);
    vi.advanceTimersByTime(400);
    expect(list()).toHaveLength(1);
    vi.advanceTimersByTime(600);
    expect(heard).toEqual([['Saved'], ['Saved', 'Saved'], ['Saved'], []]);
  });
});
