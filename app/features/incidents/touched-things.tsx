import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { LoadedIncident } from '#app/features/incidents/load-incident.server.ts';

const PATHS: Record<LoadedIncident['touched']['connections'][number]['kind'], (connection: string) => string> = {
  model: (connection) => href('/dashboard/llm-hub/:connection', { connection }),
  mcp: (connection) => href('/dashboard/plugins/:connection', { connection }),
  app: (connection) => href('/dashboard/plugins/integrations/:connection', { connection }),
  a2a: (connection) => href('/dashboard/agents/:connection', { connection }),
};

/** Links to the runs, agents and connections that an incident is about. */
export function TouchedThings({ touched: { runs, agents, connections } }: { touched: LoadedIncident['touched'] }) {
  const { t } = useTranslation('incidents');
  const formats = useFormats();
  const links = [
    ...runs.map((run) => ({ id: run.id, to: href('/dashboard/runs/:run', { run: run.id }), name: formats.runName(run) })),
    ...agents.map(({ id, name }) => ({ id, to: href('/dashboard/agents/authored/:agent', { agent: id }), name })),
    ...connections.map(({ id, name, kind }) => ({ id, to: PATHS[kind](id), name })),
  ];
  if (links.length === 0) return t('page.nothingTouched');
  return (
    <ul className="grid gap-1">
      {links.map(({ id, to, name }) => (
        <li key={id}>
          <Link to={to} className="text-link inline-block py-0.5">
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
