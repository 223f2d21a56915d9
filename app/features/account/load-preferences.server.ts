import type { RouterContextProvider } from 'react-router';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';
import { readCookie, TIME_ZONE_COOKIE } from '#app/platform/i18n/preference-cookies.server.ts';

/** Language and zone as they stand in this browser; the zones are named here, so that server and browser offer the same ones. */
export function loadPreferences(context: Readonly<RouterContextProvider>, request: Request) {
  return {
    language: getLanguage(context),
    timeZone: readCookie(request, TIME_ZONE_COOKIE) ?? '',
    timeZones: ['UTC', ...Intl.supportedValuesOf('timeZone')],
  };
}
export type PreferencesView = ReturnType<typeof loadPreferences>;
