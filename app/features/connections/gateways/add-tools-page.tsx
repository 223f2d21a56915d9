import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { SearchForm } from '#app/components/data/search-form.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { useMessages } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { EmptyPart, EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Effect } from '#app/features/connections/capability-card.tsx';
import type { LoadedOfferedTools } from '#app/features/connections/gateways/gateway-tools.server.ts';
import { useGatewayCrumbs } from '#app/features/connections/gateways/gateway-words.ts';

type Answer = { ticked: string[]; reasons: string[] };
type Props = { loaded: LoadedOfferedTools; answer: Answer | undefined };

/** The approved tools that a gateway does not hold yet, to be ticked. */
export function AddToolsPage({ loaded, answer }: Props) {
  const { t } = useTranslation(['gateways', 'common', 'connections']);
  const messages = useMessages();
  const { gateway, words, groups, offered, more } = loaded;
  const here = href('/dashboard/plugins/gateways/:gateway/add', { gateway: gateway.id });
  const back = href('/dashboard/plugins/gateways/:gateway', { gateway: gateway.id });
  return (
    <PageFrame title={t('add.title', { name: gateway.name })} description={t('add.text')} breadcrumbs={useGatewayCrumbs(gateway)}>
      {offered === 0 ? (
        <EmptyState
          title={t('add.none')}
          description={t('add.noneText')}
          action={<ButtonLink to={href('/dashboard/plugins')}>{t('add.toPlugins')}</ButtonLink>}
        />
      ) : (
        <>
          <SearchForm action={here} words={words} label={t('add.search')} placeholder={t('add.search')} submit={t('common:list.search')} />
          {answer === undefined || answer.reasons.length === 0 ? null : (
            <div className="mb-6">
              <Notice kind="danger" title={t('add.refused')} live>
                {messages(answer.reasons).map((text) => (
                  <p key={text}>{text}</p>
                ))}
              </Notice>
            </div>
          )}
          {groups.length === 0 ? (
            <EmptyPart
              title={t('add.notFound')}
              action={
                <Link to={here} className="text-link inline-block py-0.5">
                  {t('add.all')}
                </Link>
              }
            />
          ) : (
            <CommandForm hidden={{}} className="grid gap-8">
              {groups.map((group) => (
                <Group key={group.connection} group={group} ticked={answer?.ticked ?? []} />
              ))}
              {more === 0 ? null : <p className="text-muted">{t('add.more', { count: more })}</p>}
              <div className="flex flex-wrap gap-3">
                <SubmitButton busyLabel={t('add.busy')}>{t('add.submit')}</SubmitButton>
                <ButtonLink variant="secondary" to={back}>
                  {t('cancel')}
                </ButtonLink>
              </div>
            </CommandForm>
          )}
        </>
      )}
    </PageFrame>
  );
}

/** The tools of one connection. */
function Group({ group, ticked }: { group: LoadedOfferedTools['groups'][number]; ticked: readonly string[] }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-lg font-semibold">
        <bdi>{group.connection}</bdi>
      </legend>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {group.tools.map((tool) => (
          <li key={tool.id}>
            <label className="flex items-start gap-3 px-4 py-3 hover:bg-raised/60">
              <input
                type="checkbox"
                name="capability"
                value={tool.id}
                defaultChecked={ticked.includes(tool.id)}
                className="mt-0.5 size-5 shrink-0"
              />
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-baseline gap-x-3">
                  <bdi className="font-semibold">{tool.title}</bdi>
                  <code dir="ltr" className="text-sm wrap-anywhere text-muted">
                    {tool.name}
                  </code>
                  <span className="text-sm">
                    <Effect effect={tool.effect} />
                  </span>
                </span>
                {tool.description === '' ? null : (
                  <bdi className="mt-0.5 line-clamp-3 max-w-measure text-sm text-muted">{tool.description}</bdi>
                )}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
