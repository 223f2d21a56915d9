import type { Language } from '#app/domain/web/languages.ts';
import { translatorFor } from '#app/platform/i18n/i18n.server.ts';

/** The mail that takes a signed head of a workspace's log out of the instance. */
export function checkpointMail(checkpoint: { language: Language; workspace: string; size: number; note: string; key: string }): {
  subject: string;
  text: string;
} {
  const t = translatorFor(checkpoint.language, 'mail');
  const { workspace, size, note, key } = checkpoint;
  const lines = [t('checkpointBody', { workspace, count: size }), note.trimEnd(), `${t('checkpointKey')}\n${key}`, t('checkpointWhy')];
  return { subject: t('checkpointSubject', { workspace }), text: `${lines.join('\n\n')}\n` };
}
