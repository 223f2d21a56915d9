import { href, redirect } from 'react-router';
import { consentValue } from '#app/domain/people/consent.ts';
import { localPath } from '#app/domain/web/local-path.ts';
import { preferenceCookie, readCookie, TIME_ZONE_COOKIE } from '#app/platform/i18n/preference-cookies.server.ts';

/** Choices that are kept for long unless someone refuses: the cookies page lists them. */
const KEPT_CHOICES = ['lng', 'theme', 'density', 'accessibility', 'sidebar_state', TIME_ZONE_COOKIE];

/** Keeps what was decided in the Privacy & Compliance Center and goes back to it. Refusing to be remembered ends what was noted unasked, and ends with this visit what was chosen before. */
export async function chooseConsent(request: Request): Promise<Response> {
  const form = await request.formData();
  const choice = { gdpr: form.get('gdpr') === 'on', ccpa: form.get('ccpa') === 'on' };
  const headers = new Headers();
  headers.append('Set-Cookie', preferenceCookie('consent', consentValue(choice)));
  if (choice.gdpr) {
    headers.append('Set-Cookie', preferenceCookie('tz', '', 0));
    for (const name of KEPT_CHOICES) {
      const value = readCookie(request, name);
      if (value !== null) headers.append('Set-Cookie', preferenceCookie(name, value, 'visit'));
    }
  }
  const next = localPath(form.get('next'), href('/')).replace(/#.*$/, '');
  return redirect(`${next}#privacy-center`, { status: 303, headers });
}
