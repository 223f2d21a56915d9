import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { SearchForm } from '#app/components/data/search-form.tsx';
import { ReasonInput } from '#app/components/form/ask/reason-input.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { ApproveAllPage } from '#app/features/connections/approve-all-page.tsx';
import { CapabilityCard } from '#app/features/connections/capability-card.tsx';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import type { LoadedConnection } from '#app/features/connections/load-connection.server.ts';
import { ConnectionFacts } from '#app/features/connections/page/connection-facts.tsx';
import { PersonalData, RepeatedCalls } from '#app/features/connections/page/connection-permissions.tsx';
import { ConnectionCalls, ConnectionUsers } from '#app/features/connections/page/connection-use.tsx';
import { signInPageOf } from '#app/features/connections/sign-in/sign-in-address.ts';
import { SignInNotice } from '#app/features/connections/sign-in/sign-in-notice.tsx';

type Props = {
  connection: LoadedConnection;
  /** The answer to an approval that needs a reason and had none: what was ticked. */
  refused: { reasonMissing: { of: string; ticked: string[] } } | undefined;
};

/** A connection: its address, its permissions and all its capabilities; or the list of those that one press approves. */
export function ConnectionPage({ connection, refused }: Props) {
  const { t } = useTranslation('connections');
  if (connection.review) return <ApproveAllPage connection={connection} reasonMissing={refused !== undefined} />;
  const { base, words } = CONNECTION_AREAS[connection.kind];
  const missing = refused?.reasonMissing.of;
  return (
    <PageFrame
      title={connection.name}
      description={connection.description}
      breadcrumbs={[{ label: t(words.title), to: href(base) }]}
      actions={
        connection.mayConnect ? (
          <>
            <CommandForm hidden={{ intent: 'check' }}>
              <SubmitButton variant="secondary" busyLabel={t('page.checking')}>
                {t('page.check')}
              </SubmitButton>
            </CommandForm>
            {connection.kind === 'a2a' ? (
              <CommandForm hidden={{ intent: connection.paused ? 'resume' : 'pause' }}>
                <SubmitButton variant="secondary">{connection.paused ? t('a2a.resume') : t('a2a.pause')}</SubmitButton>
              </CommandForm>
            ) : null}
            {connection.kind === 'a2a' ? (
              <ButtonLink variant="quiet" to={href('/dashboard/agents/inventory/:agent', { agent: connection.id })}>
                {t('inventory')}
              </ButtonLink>
            ) : null}
            {connection.kind === 'model' ? (
              <ButtonLink variant="quiet" to={href('/dashboard/llm-hub/:connection/prices', { connection: connection.id })}>
                {t('price.set')}
              </ButtonLink>
            ) : null}
            {connection.signIn === null ? null : (
              <ButtonLink variant="quiet" to={signInPageOf(connection.id)}>
                {t('signIn.link')}
              </ButtonLink>
            )}
            {connection.address === null || connection.kind === 'a2a' || connection.signIn !== null ? null : (
              <ButtonLink
                variant="quiet"
                to={href(`${CONNECTION_AREAS[connection.kind].base}/:connection/rotate`, { connection: connection.id })}
              >
                {t('rotate.link')}
              </ButtonLink>
            )}
            <ButtonLink variant="quiet" to={href(`${base}/:connection/limits`, { connection: connection.id })}>
              {t('limits.link')}
            </ButtonLink>
            <ButtonLink variant="quiet" to={href(`${base}/:connection/disconnect`, { connection: connection.id })}>
              {t('page.disconnect')}
            </ButtonLink>
          </>
        ) : null
      }
    >
      <News connection={connection} />
      <ConnectionFacts connection={connection} />
      <PersonalData connection={connection} missing={missing} />
      <RepeatedCalls connection={connection} missing={missing} />
      <ConnectionUsers connection={connection} />
      <ConnectionCalls connection={connection} />
      <Section title={t(words.capabilities)} description={t(words.capabilitiesDescription)}>
        {connection.counts.all === 0 ? (
          <p>{connection.status === 'connected' ? t(words.noCapabilities) : t('page.notListed')}</p>
        ) : (
          <>
            <Search connection={connection} />
            {connection.capabilities.length === 0 ? (
              <EmptyPart
                title={t('search.none')}
                action={
                  <Link to={href(`${base}/:connection`, { connection: connection.id })} className="text-link inline-block py-0.5">
                    {t('search.all')}
                  </Link>
                }
              />
            ) : (
              <Capabilities connection={connection} refused={missing?.startsWith('approve') ? refused : undefined} />
            )}
            <KeyPaging url={connection.url} next={connection.next} />
          </>
        )}
      </Section>
    </PageFrame>
  );
}

/** The points that a reviewer should check first. */
function News({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const format = useFormats();
  const { changed, pending } = connection.counts;
  const who = connection.mayApprove ? null : <p>{t('news.needsApprover')}</p>;
  return (
    <div className="mb-6 grid gap-3 empty:hidden">
      <SignInNotice connection={connection} />
      {connection.lastError === null ? null : (
        <Notice kind="danger" title={t('news.failed')}>
          <ExplanationText explanation={connection.lastError} />
        </Notice>
      )}
      {connection.paused ? (
        <Notice kind="attention" title={t('a2a.pausedTitle')}>
          <p>{t('a2a.pausedText')}</p>
        </Notice>
      ) : null}
      {connection.heldUntil === null ? null : (
        <Notice kind="attention" title={t('limits.heldTitle')}>
          <p>{t('limits.heldText', { time: format.exactTime(connection.heldUntil) })}</p>
        </Notice>
      )}
      {changed === 0 ? null : (
        <Notice kind="attention" title={t('news.changed', { count: changed })}>
          <p>{t('news.changedText')}</p>
          {who}
        </Notice>
      )}
      {pending === 0 ? null : (
        <Notice kind="info" title={t('news.pending', { count: pending })}>
          <p>{t('news.pendingText')}</p>
          {who}
        </Notice>
      )}
    </div>
  );
}

/** Offered once there is more than a page. */
function Search({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  if (connection.search === '' && connection.counts.all <= connection.capabilities.length) return null;
  const here = href(`${CONNECTION_AREAS[connection.kind].base}/:connection`, { connection: connection.id });
  return (
    <SearchForm
      action={here}
      words={connection.search}
      label={t('search.label')}
      placeholder={t('search.placeholder')}
      submit={t('search.submit')}
    />
  );
}

function Capabilities({ connection, refused }: Props) {
  const { t } = useTranslation(['connections', 'control']);
  const format = useFormats();
  const approvable = connection.capabilities.some((capability) => capability.approvable);
  const waiting = connection.counts.pending + connection.counts.changed;
  const list = (
    <ul className="grid gap-4">
      {connection.capabilities.map((capability) => (
        <CapabilityCard
          key={capability.id}
          capability={capability}
          mayApprove={connection.mayApprove}
          ticked={refused?.reasonMissing.ticked ?? []}
        />
      ))}
    </ul>
  );
  if (!connection.mayApprove) return list;
  return (
    <CommandForm hidden={{}} className="grid gap-4">
      {waiting > 0 && approvable && connection.asksSecondPerson ? (
        <ReasonInput hint={t('control:ask.toolsHint')} missing={refused !== undefined} />
      ) : null}
      {/* The first button of the form: Enter approves the ticked ones and never withdraws. */}
      {waiting === 0 ? null : (
        <div className="flex flex-wrap gap-3">
          {approvable ? (
            <SubmitButton name="intent" value="approve" busyLabel={t('page.approving')}>
              {t('page.approveSelected')}
            </SubmitButton>
          ) : null}
          <ButtonLink to={`${href(`${CONNECTION_AREAS[connection.kind].base}/:connection`, { connection: connection.id })}?approve=all`}>
            {t('page.reviewAll', { total: format.number(waiting) })}
          </ButtonLink>
        </div>
      )}
      {list}
    </CommandForm>
  );
}
