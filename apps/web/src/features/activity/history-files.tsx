import type { HistoryFormat } from '@dct/api-contract/history'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { saveBlob } from '../../shared/lib/save-blob.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { DownloadIcon } from '../../shared/ui/icons.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { activityQueries, type HistoryFilters } from './activity.api.ts'
import { historyTexts } from './history.texts.ts'

const FILES = [
  ['csv', 'fileCsv'],
  ['koinly', 'fileKoinly'],
  ['cointracking', 'fileCointracking'],
] as const satisfies readonly (readonly [HistoryFormat, string])[]

/** Saves the filtered history as a file for spreadsheets or for a tax program. */
export function HistoryFiles({ filters }: { filters: HistoryFilters }) {
  const text = useTexts(historyTexts)
  const download = useAction({
    mutationFn: (format: HistoryFormat) => activityQueries.file(format, filters),
    onSuccess: saveBlob,
    onError: (error) => toast.error(errorText(error, text('fileFailed'))),
  })
  return (
    <div className="history__files">
      <h2>{text('files')}</h2>
      <p className="soft small">{text('filesLead')}</p>
      <p className="row">
        {FILES.map(([format, name]) => (
          <QuietButton
            key={format}
            disabled={download.isPending}
            onClick={() => download.mutate(format)}
          >
            <DownloadIcon />
            {text(name)}
          </QuietButton>
        ))}
      </p>
      <p className="soft small">{text('koinlyHint')}</p>
    </div>
  )
}
