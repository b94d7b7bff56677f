/** Small presentations that hold one of each thing that slides have. */
import { strToU8, type Zippable, zipSync } from 'fflate';

const schemas = {
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  p: 'http://schemas.openxmlformats.org/presentationml/2006/main',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
};
const spaces = Object.entries(schemas)
  .map(([name, address]) => `xmlns:${name}="${address}"`)
  .join(' ');

type Relations = [id: string, type: string, target: string][];

function relations(list: Relations): string {
  const entries = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${schemas.r}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;
}

/** Packs parts given as text. */
export function pack(parts: Record<string, string>, stored: string[] = []): Uint8Array {
  const entries: Zippable = {};
  for (const name of stored) entries[name] = [strToU8(parts[name]!), { level: 0 }];
  for (const [name, text] of Object.entries(parts)) if (!stored.includes(name)) entries[name] = strToU8(text);
  return zipSync(entries);
}

const inch = 914_400;
const frame = (
  x: number,
  y: number,
  width: number,
  height: number,
  tag = 'a:xfrm',
  attributes = '',
): string =>
  `<${tag}${attributes}><a:off x="${x * inch}" y="${y * inch}"/><a:ext cx="${width * inch}" cy="${height * inch}"/></${tag}>`;
const paragraph = (text: string, properties = ''): string =>
  `<a:p>${properties}<a:r><a:rPr lang="en-US"/><a:t>${text}</a:t></a:r></a:p>`;

interface ShapeOptions {
  placeholder?: string;
  place?: string;
  style?: string;
}

/** A shape with the paragraphs that are given as XML. */
export function shape(body: string, { placeholder, place = '', style = '' }: ShapeOptions = {}): string {
  const holder = placeholder === undefined ? '' : `<p:ph ${placeholder}/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape"/><p:cNvSpPr/><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:spPr>${place}${style}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${body}</p:txBody></p:sp>`;
}

const tree = (shapes: string): string =>
  `<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`;
const slideXml = (shapes: string, attributes = ''): string =>
  `<p:sld ${spaces}${attributes}>${tree(shapes)}</p:sld>`;

const theme = `<a:theme ${spaces}><a:themeElements><a:clrScheme name="c"><a:dk1><a:sysClr val="windowText" lastClr="202020"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1><a:accent1><a:srgbClr val="1F5F5B"/></a:accent1></a:clrScheme><a:fontScheme name="f"><a:majorFont><a:latin typeface="Georgia"/></a:majorFont><a:minorFont><a:latin typeface="Arial"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>`;

const masterXml = `<p:sldMaster ${spaces}>${tree(
  shape(paragraph('Title of the master'), { placeholder: 'type="title"', place: frame(0.5, 0.3, 9, 1) }) +
    shape(paragraph('Text of the master'), {
      placeholder: 'type="body" idx="1"',
      place: frame(0.5, 1.5, 9, 5),
    }) +
    shape(paragraph('Northgate Holding'), { place: frame(7, 7, 2.5, 0.4) }),
)}<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2"/><p:txStyles><p:titleStyle><a:lvl1pPr algn="ctr"><a:defRPr sz="4400" b="1"/></a:lvl1pPr></p:titleStyle><p:bodyStyle><a:lvl1pPr marL="342900" indent="-342900"><a:buChar char="•"/><a:defRPr sz="2800"/></a:lvl1pPr><a:lvl2pPr marL="742950" indent="-285750"><a:buChar char="–"/><a:defRPr sz="2400"/></a:lvl2pPr></p:bodyStyle><p:otherStyle/></p:txStyles></p:sldMaster>`;

const layoutXml = `<p:sldLayout ${spaces}>${tree(
  shape(paragraph('Title of the layout'), { placeholder: 'type="title"' }) +
    shape(paragraph('Left of the layout'), { placeholder: 'idx="1"', place: frame(0.5, 1.5, 4.4, 3) }) +
    shape(paragraph('Right of the layout'), { placeholder: 'idx="2"', place: frame(5.1, 1.5, 4.4, 3) }),
)}</p:sldLayout>`;

const auto = '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>';
const firstSlide = slideXml(
  // Drawn in another order than it is read.
  shape(paragraph('Right column'), { placeholder: 'idx="2"' }) +
    shape(
      `${paragraph('Sign', auto)}${paragraph('Pay by bank', auto)}<a:p><a:pPr lvl="1"/><a:r><a:t>within </a:t></a:r><a:r><a:rPr b="1"/><a:t>thirty days</a:t></a:r></a:p>`,
      {
        placeholder: 'idx="1"',
      },
    ) +
    `<p:grpSp><p:nvGrpSpPr/><p:grpSpPr>${frame(1, 5, 4, 1).replace('</a:xfrm>', '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="50"/></a:xfrm>')}</p:grpSpPr>` +
    shape(paragraph('In a group'), {
      place: '<a:xfrm><a:off x="50" y="0"/><a:ext cx="50" cy="50"/></a:xfrm>',
      style:
        '<a:prstGeom prst="roundRect"/><a:solidFill><a:schemeClr val="accent1"><a:lumMod val="50000"/><a:lumOff val="50000"/></a:schemeClr></a:solidFill>',
    }) +
    '</p:grpSp>' +
    shape(paragraph('Rent &amp; term'), { placeholder: 'type="title"' }) +
    shape('<a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p>', {
      placeholder: 'type="sldNum" idx="12"',
      place: frame(9, 7, 0.5, 0.3),
    }),
);

const cell = (text: string, attributes = ''): string =>
  `<a:tc${attributes}><a:txBody><a:bodyPr/>${paragraph(text)}</a:txBody><a:tcPr/></a:tc>`;
const row = (...cells: string[]): string => `<a:tr h="370840">${cells.join('')}</a:tr>`;
const graphic = (inner: string, place: string, uri = 'table'): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="G"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>${place}<a:graphic><a:graphicData uri="${uri}">${inner}</a:graphicData></a:graphic></p:graphicFrame>`;
const secondSlide = slideXml(
  shape(paragraph('Figures'), { placeholder: 'type="title"' }) +
    graphic(
      `<a:tbl><a:tblPr firstRow="1"/><a:tblGrid><a:gridCol w="3000000"/><a:gridCol w="2000000"/></a:tblGrid>${row(cell('Hall'), cell('Rent'))}${row(cell('Northgate'), cell('12 400'))}${row(cell('Southgate', ' rowSpan="2"'), cell('9 800'))}${row(cell('', ' vMerge="1"'), cell('10 100'))}</a:tbl>`,
      frame(0.5, 1.5, 5, 1.6, 'p:xfrm'),
    ) +
    graphic(
      '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rId2"/>',
      frame(0.5, 3.5, 9, 3.5, 'p:xfrm'),
      'chart',
    ),
);

const points = (values: string[]): string =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('');
const chartXml = `<c:chartSpace xmlns:c="c" ${spaces}><c:chart><c:title><c:tx><c:rich>${paragraph('Rent by year')}</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>${points(['Hall A'])}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${points(['2024', '2025'])}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>0.0</c:formatCode>${points(['12.25', '13.5'])}</c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;

const thirdSlide = slideXml(
  graphic('<dgm:relIds xmlns:dgm="d" r:dm="rId2"/>', frame(1, 1, 8, 5, 'p:xfrm'), 'diagram'),
);
const dataXml = `<dgm:dataModel xmlns:dgm="d" ${spaces}><dgm:ptLst><dgm:pt modelId="1"><dgm:t>${paragraph('Draft')}</dgm:t></dgm:pt></dgm:ptLst><dgm:extLst><a:ext><dsp:dataModelExt xmlns:dsp="s" relId="rId3"/></a:ext></dgm:extLst></dgm:dataModel>`;
const drawingXml = `<dsp:drawing xmlns:dsp="s" ${spaces}><dsp:spTree>${['Write the draft', 'Sign the draft']
  .map((text, at) =>
    shape(paragraph(text), {
      place: frame(at * 4, 1, 3, 1),
      style: '<a:prstGeom prst="chevron"/><a:solidFill><a:srgbClr val="DDEEEE"/></a:solidFill>',
    })
      .replaceAll('p:sp>', 'dsp:sp>')
      .replaceAll('p:spPr', 'dsp:spPr')
      .replaceAll('p:txBody', 'dsp:txBody'),
  )
  .join('')}</dsp:spTree></dsp:drawing>`;

const fourthSlide = slideXml(
  shape(paragraph('Не показывать гостям'), { placeholder: 'type="title"' }),
  ' show="0"',
);
const notesXml = `<p:notes ${spaces}>${tree(
  shape(paragraph('Mention the index.'), { placeholder: 'type="body" idx="1"' }) +
    shape('<a:p><a:fld type="slidenum"><a:t>4</a:t></a:fld></a:p>', { placeholder: 'type="sldNum"' }),
)}</p:notes>`;
const commentsXml = `<p:cmLst ${spaces}><p:cm authorId="0"><p:text>Is this the last year?</p:text></p:cm></p:cmLst>`;

const toLayout: Relations = [['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml']];

/** The parts of the whole sample; tests change one and pack them anew. The second slide of the show is slide3.xml. */
export function pptxParts(): Record<string, string> {
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations([
      ['rId1', 'officeDocument', 'ppt/presentation.xml'],
      ['rId2', 'metadata/core-properties', 'docProps/core.xml'],
    ]),
    'docProps/core.xml':
      '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Lease talk</dc:title><dc:creator>Anna Kern</dc:creator><dcterms:modified>2025-03-04T10:00:00Z</dcterms:modified></cp:coreProperties>',
    'ppt/presentation.xml': `<p:presentation ${spaces}><p:sldIdLst><p:sldId id="256" r:id="rId11"/><p:sldId id="257" r:id="rId13"/><p:sldId id="258" r:id="rId12"/><p:sldId id="259" r:id="rId14"/></p:sldIdLst><p:sldSz cx="${10 * inch}" cy="${7.5 * inch}"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations([
      ['rId11', 'slide', 'slides/slide1.xml'],
      ['rId12', 'slide', 'slides/slide2.xml'],
      ['rId13', 'slide', 'slides/slide3.xml'],
      ['rId14', 'slide', 'slides/slide4.xml'],
      ['rId15', 'commentAuthors', 'commentAuthors.xml'],
    ]),
    'ppt/commentAuthors.xml': `<p:cmAuthorLst ${spaces}><p:cmAuthor id="0" name="Anna"/></p:cmAuthorLst>`,
    'ppt/theme/theme1.xml': theme,
    'ppt/slideMasters/slideMaster1.xml': masterXml,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relations([['rId1', 'theme', '../theme/theme1.xml']]),
    'ppt/slideLayouts/slideLayout1.xml': layoutXml,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relations([
      ['rId1', 'slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
    'ppt/slides/slide1.xml': firstSlide,
    'ppt/slides/_rels/slide1.xml.rels': relations(toLayout),
    'ppt/slides/slide2.xml': thirdSlide,
    'ppt/slides/_rels/slide2.xml.rels': relations([
      ...toLayout,
      ['rId2', 'diagramData', '../diagrams/data1.xml'],
      ['rId3', 'diagramDrawing', '../diagrams/drawing1.xml'],
    ]),
    'ppt/slides/slide3.xml': secondSlide,
    'ppt/slides/_rels/slide3.xml.rels': relations([...toLayout, ['rId2', 'chart', '../charts/chart1.xml']]),
    'ppt/slides/slide4.xml': fourthSlide,
    'ppt/slides/_rels/slide4.xml.rels': relations([
      ...toLayout,
      ['rId2', 'notesSlide', '../notesSlides/notesSlide1.xml'],
      ['rId3', 'comments', '../comments/comment1.xml'],
    ]),
    'ppt/charts/chart1.xml': chartXml,
    'ppt/diagrams/data1.xml': dataXml,
    'ppt/diagrams/drawing1.xml': drawingXml,
    'ppt/notesSlides/notesSlide1.xml': notesXml,
    'ppt/comments/comment1.xml': commentsXml,
  };
}

/** The sample's first slide over and over; "Right column" has the slide's number behind it. */
export function longPptx(slides: number): Uint8Array {
  const parts = pptxParts();
  const first = parts['ppt/slides/slide1.xml']!;
  const numbers = Array.from({ length: slides }, (_, at) => at + 1);
  for (const number of numbers) {
    parts[`ppt/slides/slide${number}.xml`] = first.replace('Right column', `Right column ${number}`);
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relations(toLayout);
  }
  const entries = numbers.map((number) => `<p:sldId id="${number + 255}" r:id="s${number}"/>`);
  parts['ppt/presentation.xml'] =
    `<p:presentation ${spaces}><p:sldIdLst>${entries.join('')}</p:sldIdLst></p:presentation>`;
  parts['ppt/_rels/presentation.xml.rels'] = relations(
    numbers.map((number) => [`s${number}`, 'slide', `slides/slide${number}.xml`]),
  );
  return pack(parts);
}

export const pptxSample = (): Uint8Array => pack(pptxParts());

const odfSpaces = [
  'office',
  'draw',
  'presentation',
  'text',
  'table',
  'style',
  'svg',
  'fo',
  'xlink',
  'dc',
  'meta',
  'chart',
]
  .map((name) => `xmlns:${name}="urn:${name}"`)
  .join(' ');
const odfFrame = (
  inner: string,
  x: number,
  y: number,
  width: number,
  height: number,
  attributes = '',
): string =>
  `<draw:frame svg:x="${x}cm" svg:y="${y}cm" svg:width="${width}cm" svg:height="${height}cm" ${attributes}>${inner}</draw:frame>`;
const textBox = (inner: string): string => `<draw:text-box>${inner}</draw:text-box>`;
const odfCell = (text: string): string => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;

export function odpParts(): Record<string, string> {
  const page = (name: string, style: string, inner: string): string =>
    `<draw:page draw:name="${name}" draw:style-name="${style}" draw:master-page-name="Default" presentation:use-footer-name="ftr1">${inner}</draw:page>`;
  return {
    mimetype: 'application/vnd.oasis.opendocument.presentation',
    'META-INF/manifest.xml': '<manifest/>',
    'meta.xml': `<office:document-meta ${odfSpaces}><office:meta><dc:title>Аренда</dc:title><dc:creator>Анна</dc:creator><dc:date>2025-03-04T10:00:00</dc:date><dc:language>ru-RU</dc:language></office:meta></office:document-meta>`,
    'styles.xml': `<office:document-styles ${odfSpaces}><office:styles><style:style style:name="Default-title" style:family="presentation"><style:text-properties fo:font-size="36pt"/></style:style><text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style></office:styles><office:automatic-styles><style:page-layout style:name="PM1"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="PM1">${odfFrame(textBox('<text:p><presentation:footer/></text:p>'), 9, 19, 9, 1, 'presentation:class="footer"')}${odfFrame(textBox('<text:p>Click to edit</text:p>'), 2, 1, 24, 3, 'presentation:class="title" presentation:placeholder="true"')}</style:master-page></office:master-styles></office:document-styles>`,
    'content.xml': `<office:document-content ${odfSpaces}><office:automatic-styles><style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties presentation:display-footer="true" presentation:display-page-number="false"/></style:style><style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden" presentation:display-footer="false"/></style:style></office:automatic-styles><office:body><office:presentation><presentation:footer-decl presentation:name="ftr1">Северный зал</presentation:footer-decl>${page(
      'page1',
      'dp1',
      odfFrame(
        textBox('<text:p>Срок <text:span>аренды</text:span></text:p>'),
        2,
        1,
        24,
        3,
        'presentation:class="title" presentation:style-name="Default-title"',
      ) +
        odfFrame(
          textBox(
            '<text:list text:style-name="N"><text:list-item><text:p>Подпись</text:p></text:list-item><text:list-item><text:p>Оплата за тридцать<text:s text:c="2"/>дней</text:p></text:list-item></text:list>',
          ),
          2,
          5,
          12,
          8,
          'presentation:class="outline"',
        ) +
        odfFrame(
          `<table:table><table:table-header-rows><table:table-row>${odfCell('Место')}${odfCell('Цена')}</table:table-row></table:table-header-rows><table:table-row>${odfCell('Склад')}${odfCell('450')}</table:table-row></table:table>`,
          15,
          5,
          10,
          4,
        ) +
        '<draw:g><draw:custom-shape svg:x="3cm" svg:y="15cm" svg:width="6cm" svg:height="2cm"><text:p>В фигуре</text:p><draw:enhanced-geometry draw:type="ellipse"/></draw:custom-shape></draw:g>' +
        '<office:annotation><dc:creator>Анна</dc:creator><text:p>Проверить срок.</text:p></office:annotation>' +
        `<presentation:notes>${odfFrame(textBox('<text:p>Сказать про индекс.</text:p>'), 2, 12, 16, 12, 'presentation:class="notes"')}</presentation:notes>`,
    )}${page('page2', 'dp2', odfFrame(textBox('<text:p>Скрытая страница</text:p>'), 2, 1, 24, 3, 'presentation:class="title"'))}</office:presentation></office:body></office:document-content>`,
  };
}

export const odpSample = (): Uint8Array => pack({ ...odpParts() }, ['mimetype']);
