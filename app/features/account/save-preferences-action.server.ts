import { sql } from 'kysely';
import type { ActionFunctionArgs } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { readConsent } from '#app/domain/consent.ts';
import { preferencesSchema } from '#app/features/account/account-schemas.ts';
import { languageCookie, preferenceCookie, readCookie, TIME_ZONE_COOKIE } from '#app/platform/i18n/preference-cookies.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Keeps language and zone with the account, for mails and for other browsers, and puts them to use in this one. */
export async function savePreferences({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, preferencesSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { language, timeZone = '' } = parsed.value;
  if (timeZone !== '' && !isTimeZone(timeZone)) return invalidForm(parsed.reply, { fieldErrors: { timeZone: ['invalid'] } });
  const { member, change } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const settings = JSON.stringify({ language, timeZone });
  await change(async (db) => {
    await db
      .insertInto('quorate.preferences')
      .values({ user_id: member.userId, settings })
      // Other settings of the person stand in the same row.
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ settings: sql`quorate.preferences.settings || ${settings}::jsonb`, updated_at: now() }),
      )
      .execute();
    return {
      result: null,
      event: { action: 'preferences.changed', resource: { kind: 'member', id: member.userId, name: member.name } },
    };
  });
  const keep = readConsent(readCookie(request, 'consent'), null).gdpr ? 'visit' : 'year';
  const headers = new Headers({ 'Set-Cookie': languageCookie(language, keep) });
  headers.append('Set-Cookie', preferenceCookie(TIME_ZONE_COOKIE, timeZone, timeZone === '' ? 0 : keep));
  return redirectWithNotice('/dashboard/account/preferences', 'preferencesSaved', { headers });
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
