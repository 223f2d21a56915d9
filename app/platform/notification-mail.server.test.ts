import { expect, test } from 'vitest';
import { notificationMail } from '#app/platform/notification-mail.server.ts';

const link = 'https://quorate.example/dashboard/approvals/1';
const subject = { key: 'notifyApprovalWaiting', values: { name: 'Bea Builder', title: 'An officer decides' }, about: { approval: '1' } };

test('a mail about the demo names its texts in the language of who gets it', () => {
  const messages = [{ subject: subject as never, link }];
  const mail = notificationMail({ language: 'de', workspace: 'Demo workspace', isDemo: true, messages });
  const all = `${mail.subject} ${mail.text}`;
  expect(all).toContain('Die Sachbearbeitung entscheidet');
  expect(all).toContain('Demo-Arbeitsbereich');
  expect(all).not.toMatch(/officer|Demo workspace/);
});

test('a mail of any other workspace has the words of its authors', () => {
  const messages = [{ subject: subject as never, link }];
  const mail = notificationMail({ language: 'de', workspace: 'Demo workspace', isDemo: false, messages });
  expect(`${mail.subject} ${mail.text}`).toContain('An officer decides');
});
