import { href } from 'react-router';
import { keepPreference, YEAR_SECONDS } from '#app/components/look/preference-cookie.ts';
import { type AccessibilitySettings, formatAccessibility, parseAccessibility } from '#app/domain/people/appearance.ts';

/** The settings themselves, and what browser and server last agreed on. */
const KEY = 'accessibility-settings';
const AGREED_KEY = 'accessibility-settings-agreed';

/**
 * Decides which settings count when this browser and the server differ: the side that changed since they last agreed, or this browser's
 * where both did.
 */
export function reconcileSettings(
  saved: AccessibilitySettings,
  stored: string | null,
  agreed: string | null,
): { settings: AccessibilitySettings; notifyServer: boolean } {
  const own = parseAccessibility(stored);
  if (own === null) return { settings: saved, notifyServer: false };
  const last = parseAccessibility(agreed);
  if (last !== null && formatAccessibility(last) === formatAccessibility(own)) return { settings: saved, notifyServer: false };
  // The cookie may have the choice before the account does: until they agree, the account is told again.
  return { settings: own, notifyServer: last !== null || formatAccessibility(own) !== formatAccessibility(saved) };
}

/** `reconcileSettings` with what this browser holds. */
export function settingsAtStart(saved: AccessibilitySettings, forVisit: boolean) {
  return withStorage(forVisit, (storage) => reconcileSettings(saved, storage.getItem(KEY), storage.getItem(AGREED_KEY)), {
    settings: saved,
    notifyServer: false,
  });
}

/** Keeps the settings in this browser, or for this visit alone. `agreed`: the server has them as well. */
export function storeSettings(settings: AccessibilitySettings, forVisit: boolean, agreed: boolean): void {
  const text = formatAccessibility(settings);
  withStorage(
    forVisit,
    (storage) => {
      storage.setItem(KEY, text);
      if (agreed) storage.setItem(AGREED_KEY, text);
    },
    undefined,
  );
}

/** Mirrors the settings to the server: to its cookie, which the very next page has, and to the account of who is signed in. True when it has them. */
export async function notifyServer(settings: AccessibilitySettings, forVisit: boolean): Promise<boolean> {
  keepPreference('accessibility', formatAccessibility(settings), forVisit ? null : YEAR_SECONDS);
  const fields = Object.entries(settings).map(([name, on]) => [name, on ? 'on' : 'off']);
  try {
    return (await fetch(href('/preferences/appearance'), { method: 'POST', body: new URLSearchParams(fields), keepalive: true })).ok;
  } catch {
    // Without a connection they stay in this browser, which tells the server with the next page.
    return false;
  }
}

function withStorage<T>(forVisit: boolean, work: (storage: Storage) => T, without: T): T {
  try {
    return work(forVisit ? window.sessionStorage : window.localStorage);
  } catch {
    // A browser may forbid the storage altogether: then the server's cookie alone remembers.
    return without;
  }
}
