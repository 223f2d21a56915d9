import type { LogFinding } from '#app/domain/audit/log-finding.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { translatorFor } from '#app/platform/i18n/i18n.server.ts';

/** The mail that tells admins and the operator that a log is not what this instance signed. */
export function logAlarmMail({
  language,
  workspace,
  finding,
  link,
}: {
  language: Language;
  workspace: string;
  finding: LogFinding;
  link: string;
}): {
  subject: string;
  text: string;
} {
  const t = translatorFor(language, 'mail');
  const lines = [
    t('logAlarmBody', { workspace }),
    translatorFor(language, 'health')(`log.finding.${finding.code}`, finding.values),
    t('logAlarmNext'),
    link,
  ];
  return { subject: t('logAlarmSubject', { workspace }), text: `${lines.join('\n\n')}\n` };
}
