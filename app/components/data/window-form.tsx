import { useTranslation } from 'react-i18next';
import { Form, Link } from 'react-router';
import { DateInput } from '#app/components/form/dates/date-input.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { WINDOW_NAMES, type WindowChoice } from '#app/domain/runs/time-window.ts';

/** A time window as loader data. */
export type ShownWindow = {
  choice: WindowChoice;
  valid: boolean;
  from: string;
  until: string;
  /** The number of the newest runs shown where the window holds more: counted, and read step by step. */
  part?: { counted: number | null; lookedInto: number | null };
};

/** Chooses the stretch of time a page speaks of: four lengths as links, own dates as a form; `keep` are the page's other filters. */
export function WindowForm({ path, window, keep = {} }: { path: string; window: ShownWindow; keep?: Record<string, string> }) {
  const { t } = useTranslation('figures');
  const formats = useFormats();
  const { choice } = window;
  const own = choice.window === 'own';
  return (
    <div className="mb-6 grid gap-3 rounded-lg border border-line bg-surface p-4 print:hidden">
      {window.valid ? null : <Notice kind="danger" title={t('window.invalid')} />}
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <nav aria-label={t('window.label')}>
          <ul className="flex flex-wrap gap-2">
            {WINDOW_NAMES.map((name) => (
              <li key={name}>
                <Link
                  to={`${path}?${new URLSearchParams({ ...keep, window: name })}`}
                  preventScrollReset
                  className={buttonClass(choice.window === name ? 'primary' : 'secondary', 'small')}
                  {...(choice.window === name ? { 'aria-current': 'true' as const } : {})}
                >
                  {t(`window.${name}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Form method="get" action={path} key={JSON.stringify(choice)} className="flex flex-wrap items-end gap-2" preventScrollReset>
          {Object.entries(keep).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {(['from', 'until'] as const).map((name) => (
            <div key={name} className="grid gap-1">
              <label htmlFor={`window-${name}`} className="text-sm text-muted">
                {t(`window.${name}`)}
              </label>
              <DateInput
                id={`window-${name}`}
                name={name}
                type="date"
                defaultValue={own ? choice[name] : ''}
                className="text-sm"
                {...(window.valid ? {} : { 'aria-invalid': true })}
              />
            </div>
          ))}
          <Button size="small" className="min-h-9">
            {t('window.show')}
          </Button>
        </Form>
      </div>
      <div className="text-sm text-muted">
        <p>{t('window.range', { from: formats.exactTime(window.from), until: formats.exactTime(window.until) })}</p>
        {window.part?.counted ? <p>{t('window.counted', { runs: formats.number(window.part.counted) })}</p> : null}
        {window.part?.lookedInto ? <p>{t('window.lookedInto', { runs: formats.number(window.part.lookedInto) })}</p> : null}
      </div>
    </div>
  );
}
