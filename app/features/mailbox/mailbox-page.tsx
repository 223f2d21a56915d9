import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';

type ShownMail = { id: string; to: string; subject: string; text: string; caughtAt: string };

/** Mails that were caught instead of sent, as their readers would have got them: the text, with its links to follow. */
export function MailboxPage({ mails }: { mails: readonly ShownMail[] }) {
  const { t } = useTranslation('mail');
  return (
    <main id="content" tabIndex={-1}>
      <PageFrame title={t('mailbox.title')} description={t('mailbox.description')}>
        {mails.length === 0 ? <EmptyState title={t('mailbox.empty')} description={t('mailbox.emptyHint')} /> : null}
        {mails.map((mail) => (
          <Section key={mail.id} title={mail.subject}>
            <DescriptionList
              items={[
                { term: t('mailbox.to'), description: <bdi>{mail.to}</bdi> },
                { term: t('mailbox.caughtAt'), description: <RelativeTime at={mail.caughtAt} /> },
              ]}
            />
            <MailText text={mail.text} />
          </Section>
        ))}
      </PageFrame>
    </main>
  );
}

/** Plain text in which addresses of pages can be followed; whatever else a mail holds stays text. */
function MailText({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/[^\s<>"']+)/);
  return (
    <p dir="auto" className="mt-3 whitespace-pre-wrap break-words">
      {parts.map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one fixed text, which never change places
          <a key={at} href={part} rel="noopener noreferrer" className="text-link">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
