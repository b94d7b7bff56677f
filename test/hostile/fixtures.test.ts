import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DocumentRow } from '../../src/api/types.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { testData } from '../test-data.ts';

/** What is not read of the real files, by reason; each was looked at. Keynote, Pages, Publisher, Visio, sound and film have no reader here. */
const notRead: Record<string, string[]> = {
  damaged: [
    'poi/clusterfuzz-testcase-minimized-POIHSMFFuzzer-4735011465854976.msg',
    'poi/clusterfuzz-testcase-minimized-POIHWPFFuzzer-5074346559012864.doc',
    'poi/clusterfuzz-testcase-minimized-POIVisioFuzzer-4537225637134336.vsd',
    'poi/clusterfuzz-testcase-minimized-POIXSLFFuzzer-5471515212382208.pptx',
    'poi/clusterfuzz-testcase-minimized-POIXWPFFuzzer-6442791109263360.docx',
  ],
  empty: [
    'pdfjs/bug1538111.pdf',
    'pdfjs/checkbox_no_appearance.pdf',
    'poi/45430.xlsx',
    'poi/47504.xlsx',
    'poi/60042.pptx',
    'poi/61515.pptx',
    'poi/SmartArt.pptx',
    'poi/bug60715.pptx',
    'poi/bug62591.ppt',
    'poi/clusterfuzz-testcase-minimized-POIHSLFFuzzer-5962760801091584.ppt',
    'poi/sample_pptx_grouping_issues.pptx',
    'tika/gbk.zip » 审计压缩包文件检索测试/集团邮件审计系统2021年自动巡检需求文档_V4.0.doc',
    'tika/testEXCEL_embeddedPDF_mac.xls',
    'tika/testEXCEL_embeddedPDF_mac.xlsx',
    'tika/testEXCEL_poi-61034.xlsx',
    'tika/testExcel_embeddedPDF.xlsx',
    'tika/testPDF_Version.5.x.pdf',
    'tika/testPDF_malformedXFA.pdf',
    'tika/testWORD_multi_authors.doc',
    'tika/testWPSAttachment.xlsx',
    'unstructured/empty.xlsx',
  ],
  encrypted: [
    'poi/Password_Protected-np-hello.ppt',
    'tika/full_encrypted.7z',
    'tika/protected_normal_case.docx',
    'tika/test7Z_protected_passTika.7z » text.txt',
    'tika/testEXCEL_protected_passtika.xls',
    'unstructured/fake-encrypted.eml',
    'unstructured/fake-encrypted.msg',
  ],
  unsupported: [
    'docling/311_calls_for_service.ebc',
    'docling/gas_disposition.ebc',
    'docling/pages_password_protected.pages',
    'docling/sample_10s_video-mp4.mp4',
    'docling/silent_1s.wav',
    'poi/44501a.vsd',
    'poi/44501d.vsd',
    'poi/LinkAt10And20And30.pub',
    'poi/LinkAt10And20And30And40.pub',
    'poi/LinkAt20.pub',
    'poi/Sample2000.pub',
    'poi/Sample4_2010.pub',
    'poi/Simple.pub',
    'tika/testAltChunkHTML.docx',
    'tika/testKeynote.key',
    'tika/testKeynote2013.key',
    'tika/testPagesHeadersFootersRomanLower.pages',
    'tika/testPagesPwdProtected.pages',
  ],
};

const folder = testData('fixtures');

describe.skipIf(!process.env.LECTERN_FULL || folder === undefined)('the real files', () => {
  it('end as text, as pictures to recognise, or with the right reason', { timeout: 600_000 }, async () => {
    const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-fixtures-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const engine = await createEngine({ libraryPath: place, modelFolders: [], version: 'test' });
    onTestFinished(() => engine.close());
    const { id } = await engine.folders.add(folder!);
    await engine.folders.index(id);
    const rows: DocumentRow[] = [];
    for (let offset = 0, total = 1; offset < total; offset += 500) {
      const page = await engine.store.documents({ limit: 500, offset });
      rows.push(...page.rows);
      total = page.total;
    }
    expect(rows.length).toBeGreaterThan(440);
    const found: Record<string, string[]> = {};
    for (const { state, reason, path: name } of rows) {
      if (state === 'failed') found[reason ?? ''] = [...(found[reason ?? ''] ?? []), name].sort();
    }
    expect(found).toEqual(notRead);
    for (const row of rows) if (row.state === 'waiting') expect(row.kind, row.path).toMatch(/^(pdf|image)$/);
  });
});
