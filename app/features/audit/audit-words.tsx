import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { runtimeText } from '#app/components/text/runtime-text.ts';

export function ActorName({ actor, erased }: { actor: { kind: string; name: string | null }; erased: boolean }) {
  const { t } = useTranslation('audit');
  if (actor.name !== null) return actor.name;
  if (erased) return <span className="text-muted">{t('actor.erased')}</span>;
  return t('actor.system');
}

/** Screens of the things that the log speaks of. */
const SCREENS: Record<string, (id: string) => string> = {
  workflow: (id) => href('/dashboard/workflows/:workflow', { workflow: id }),
  agent: (id) => href('/dashboard/agents/authored/:agent', { agent: id }),
  run: (id) => href('/dashboard/runs/:run', { run: id }),
  approval: (id) => href('/dashboard/approvals/:approval', { approval: id }),
  gateway: (id) => href('/dashboard/plugins/gateways/:gateway', { gateway: id }),
  policy: (id) => href('/dashboard/policies/:policy', { policy: id }),
};

export function ResourceName({ resource }: { resource: { kind: string; id: string; name: string | null } }) {
  const { i18n } = useTranslation('audit');
  const kind = runtimeText(i18n, 'audit', `kinds.${resource.kind}`) ?? resource.kind;
  const screen = SCREENS[resource.kind];
  const name = resource.name ?? resource.id;
  return (
    <>
      <span className="block text-xs text-muted">{kind} </span>
      {screen === undefined ? (
        <bdi className="break-words">{name}</bdi>
      ) : (
        <Link className="text-link break-words" to={screen(resource.id)}>
          <bdi>{name}</bdi>
        </Link>
      )}
    </>
  );
}
