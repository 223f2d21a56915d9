import { type ComponentProps, createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';
import type { ExpressionUse } from '#app/domain/workflows/mappings/completion.ts';
import { groupKey, groupTitle, KnownWords } from '#app/features/workflows/editor/expressions/known-words.tsx';
import type { KnownData } from '#app/features/workflows/editor/expressions/load-known-data.server.ts';

/** Names for the fields of a form. `action`: the address that puts one in. `open`: the field whose names are to be chosen from. */
type OfferedNames = { action: string; groups: KnownData['groups']; open: string | null };
export const OfferedNamesContext = createContext<OfferedNames | null>(null);

type Props = Pick<ComponentProps<typeof TextAreaField>, 'field' | 'label' | 'hint' | 'optional' | 'rows'> & { use?: ExpressionUse };

/** A field for an expression, of one line where no `rows` are given. What helps to write it finds it by its mark. */
export function ExpressionField({ use = 'marked', rows, ...props }: Props) {
  return (
    <div data-expression={use} className="grid min-w-0 gap-1">
      {rows === undefined ? <TextField {...props} code /> : <TextAreaField {...props} rows={rows} code={use !== 'template'} />}
      <NameChoice field={props.field} label={props.label} use={use} />
    </div>
  );
}

/**
 * Without scripts: a button that unfolds the names below its field, each a button that sends the form and gets it back with the name in it. Nothing is
 * saved by that.
 */
function NameChoice({ field: { id, name }, label, use }: Pick<Props, 'field' | 'label'> & { use: ExpressionUse }) {
  const { t } = useTranslation('workflows');
  const named = useNamed();
  const offered = useContext(OfferedNamesContext);
  if (offered === null) return null;
  const formAction = `${offered.action}#${id}`;
  return (
    <div className="hidden max-w-measure noscript:grid">
      {offered.open === name ? (
        offered.groups.map((group) => (
          <details key={groupKey(group)} className="border-t border-line first:border-0">
            <summary className="min-h-9 cursor-pointer py-1.5 text-sm font-semibold text-accent">
              <bdi>{groupTitle(group, t)}</bdi>
            </summary>
            <ul className="grid ps-4">
              {group.values.map((value) => (
                <li key={value.expression}>
                  <button
                    type="submit"
                    name="insert"
                    value={`${use} ${name} ${value.expression}`}
                    formAction={formAction}
                    className="grid min-h-9 w-full gap-0.5 rounded-md px-2 py-1.5 text-start hover:bg-raised"
                  >
                    <span className="sr-only">{t('known.insert')}</span>
                    <KnownWords {...value} />
                  </button>
                </li>
              ))}
            </ul>
          </details>
        ))
      ) : (
        <Button variant="quiet" size="small" name="names" value={name} formAction={formAction} aria-label={named(t('known.choose'), label)}>
          {t('known.choose')}
        </Button>
      )}
    </div>
  );
}
