import type { ComponentProps } from 'react';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import type { ExpressionUse } from '#app/domain/workflows/mappings/completion.ts';

type Props = Pick<ComponentProps<typeof TextAreaField>, 'field' | 'label' | 'hint' | 'optional' | 'rows'> & { use?: ExpressionUse };

/** A field for an expression, of one line where no `rows` are given. What helps to write it finds it by its mark. */
export function ExpressionField({ use = 'marked', rows, ...field }: Props) {
  return (
    <div data-expression={use} className="contents">
      {rows === undefined ? <TextField {...field} code /> : <TextAreaField {...field} rows={rows} code={use !== 'template'} />}
    </div>
  );
}
