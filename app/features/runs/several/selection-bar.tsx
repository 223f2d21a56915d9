import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';
import { SELECTION_FORM, SEVERAL_ACTS } from '#app/features/runs/several/several-acts.ts';

const boxes = () => [...document.querySelectorAll<HTMLInputElement>(`input[type=checkbox][form=${SELECTION_FORM}]`)];

/** The box of one row. */
export function RunBox({ id, workflow, createdAt }: { id: string; workflow: string; createdAt: string }) {
  const named = useNamed();
  const { t } = useTranslation('runs');
  const format = useFormats();
  return (
    <input
      type="checkbox"
      form={SELECTION_FORM}
      name="run"
      value={id}
      aria-label={named(t('several.select'), `${workflow}, ${format.exactTime(createdAt)}`)}
      className="size-5 shrink-0 translate-y-1 accent-accent"
    />
  );
}

/** Acts on the rows that are ticked. `filter`: of the list, to which one comes back. */
export function SelectionBar({ filter }: { filter: Readonly<Record<string, string>> }) {
  const { t } = useTranslation('runs');
  const hydrated = useHydrated();
  return (
    <Form id={SELECTION_FORM} action={href('/dashboard/runs/several')} className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      {Object.entries(filter).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label className={`inline-flex min-h-8 items-center gap-2 text-sm ${withScriptsOnly(hydrated)}`}>
        <input
          type="checkbox"
          className="size-5 accent-accent"
          onChange={({ target }) => {
            for (const box of boxes()) box.checked = target.checked;
          }}
        />
        {t('several.all')}
      </label>
      <span className="text-sm text-muted">{t('several.with')}</span>
      {SEVERAL_ACTS.map((act) => (
        <Button key={act} name="do" value={act} size="small">
          {t(`several.${act}`)}
        </Button>
      ))}
    </Form>
  );
}
