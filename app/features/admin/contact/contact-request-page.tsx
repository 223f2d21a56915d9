import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { ContactState } from '#app/features/admin/contact/contact-requests-page.tsx';
import type { ContactRequest } from '#app/features/admin/contact/load-contact-request.server.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

/** One request: sender and text, with a link that answers from one's own mail program. */
export function ContactRequestPage({ request }: { request: ContactRequest }) {
  const { t } = useTranslation('admin');
  const crumbs = useAdminCrumbs();
  const answered = request.answeredAt !== null;
  const subject = t('contact.replySubject');
  const none = '–';
  return (
    <PageFrame
      title={t(`contact.topics.${request.topic}`)}
      breadcrumbs={[...crumbs, { label: t('contact.title'), to: href('/dashboard/admin/contact-requests') }]}
      actions={
        <>
          <CommandForm hidden={{ state: answered ? 'new' : 'answered' }}>
            <SubmitButton variant="secondary">{t(answered ? 'contact.reopen' : 'contact.markAnswered')}</SubmitButton>
          </CommandForm>
          <a className={buttonClass('primary')} href={`mailto:${encodeURIComponent(request.email)}?subject=${encodeURIComponent(subject)}`}>
            {t('contact.reply')}
          </a>
        </>
      }
    >
      <Section title={t('contact.message')}>
        <p className="max-w-measure break-words whitespace-pre-line">
          <bdi>{request.message}</bdi>
        </p>
      </Section>
      <Section title={t('contact.about')}>
        <DescriptionList
          items={[
            { term: t('contact.state'), description: <ContactState answered={answered} /> },
            { term: t('contact.name'), description: <bdi className="break-words">{request.name}</bdi> },
            {
              term: t('contact.email'),
              description: (
                <bdi dir="ltr" className="wrap-anywhere">
                  {request.email}
                </bdi>
              ),
            },
            {
              term: t('contact.company'),
              description: request.company === '' ? none : <bdi className="break-words">{request.company}</bdi>,
            },
            { term: t('contact.language'), description: request.language },
            { term: t('contact.received'), description: <RelativeTime at={request.createdAt} /> },
            { term: t('contact.sharing'), description: t(request.sharingRefused ? 'contact.sharingRefused' : 'contact.sharingOpen') },
            ...(request.answeredAt === null
              ? []
              : [
                  {
                    term: t('contact.answered'),
                    description: (
                      <>
                        <RelativeTime at={request.answeredAt} /> <bdi>{request.answeredBy}</bdi>
                      </>
                    ),
                  },
                ]),
          ]}
        />
      </Section>
    </PageFrame>
  );
}
