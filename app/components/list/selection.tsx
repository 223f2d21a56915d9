import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useNamed } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';

/** Rows on which one act can be done: as many as a list shows on a page. */
export const MOST_SELECTED = 50;

/** The form of the list, which the boxes of its rows belong to. */
const SELECTION_FORM = 'selected-rows';

const boxes = () => [...document.querySelectorAll<HTMLInputElement>(`input[type=checkbox][form=${SELECTION_FORM}]`)];

/** The box of one row. `of`: the row in words. */
export function SelectBox({ name, value, of }: { name: string; value: string; of: string }) {
  const named = useNamed();
  const { t } = useTranslation('common');
  return (
    <input
      type="checkbox"
      form={SELECTION_FORM}
      name={name}
      value={value}
      aria-label={named(t('selection.select'), of)}
      className="size-5 shrink-0 translate-y-1 accent-accent"
    />
  );
}

type Props = {
  /** Posted at once, or asked first on the page that a GET leads to. */
  method: 'get' | 'post';
  action: string;
  hidden: Readonly<Record<string, string>>;
  label: string;
  acts: readonly { value: string; label: string }[];
};

/** Acts on the rows that are ticked; which one it is goes along as `do`. */
export function SelectionBar({ method, action, hidden, label, acts }: Props) {
  const { t } = useTranslation('common');
  const hydrated = useHydrated();
  return (
    <Form
      id={SELECTION_FORM}
      method={method}
      action={action}
      preventScrollReset={method === 'post'}
      className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden"
    >
      {method === 'post' ? <WorkspaceInput /> : null}
      {Object.entries(hidden).map(([name, value]) => (
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
        {t('selection.all')}
      </label>
      <span className="text-sm text-muted">{label}</span>
      {acts.map((act) => (
        <Button key={act.value} name="do" value={act.value} size="small">
          {act.label}
        </Button>
      ))}
    </Form>
  );
}
