import { expect, test } from 'vitest';
import { LOG_FINDING_CODES } from '#app/domain/audit/log-finding.ts';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { checkpointMail } from '#app/platform/log/checkpoint-mail.server.ts';
import { logAlarmMail } from '#app/platform/log/log-alarm-mail.server.ts';

const values = { index: 7, size: 9, signed: 12 };

test.each(LOG_FINDING_CODES)('the alarm %s is worded in each language', (code) => {
  const mails = LANGUAGES.map((language) =>
    logAlarmMail({ language, workspace: 'Acme', finding: { code, values }, link: 'https://quorate.test/health' }),
  );
  expect(new Set(mails.map(({ subject }) => subject)).size).toBe(LANGUAGES.length);
  expect(new Set(mails.map(({ text }) => text.split('\n\n')[1])).size).toBe(LANGUAGES.length);
  for (const { subject, text } of mails) {
    expect(subject).toContain('Acme');
    expect(text).toContain('https://quorate.test/health');
    expect(`${subject} ${text}`).not.toMatch(/\{\{|logAlarm|log\.finding/);
  }
});

test('so is the mail with a checkpoint', () => {
  const mails = LANGUAGES.map((language) => checkpointMail({ language, workspace: 'Acme', size: 9, note: 'a note', key: 'a key' }));
  expect(new Set(mails.map(({ subject }) => subject)).size).toBe(LANGUAGES.length);
  for (const { text } of mails) expect(text).toMatch(/a note[\s\S]*a key/);
});
