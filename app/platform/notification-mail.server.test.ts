import { expect, test } from 'vitest';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { notificationMail } from '#app/platform/notification-mail.server.ts';

test.each(LANGUAGES)('nothing that nobody would see stands in a mail about a thing with such a name (%s)', (language) => {
  const subject = {
    key: 'notifyApprovalWaiting',
    values: { name: 'Ann\u2061', title: 'Pay\u200B\u202E Bob\u{e0041}' },
    about: { kind: 'approval' as const, id: '019a0000-0000-7000-8000-000000000001' },
  };
  const mail = notificationMail({
    language,
    workspace: 'Acme\u00AD',
    isDemo: false,
    messages: [{ subject, link: 'https://quorate.test/a' }],
  });
  const whole = `${mail.subject} ${mail.text}`;
  expect(whole).not.toMatch(/[\u00AD\u200B\u202A-\u202E\u2060\u{E0000}-\u{E007F}]/u);
  expect(whole).toContain('Acme\\u{ad}');
  expect(whole).toContain('\\u{200b} Bob\\u{e0041}');
});
