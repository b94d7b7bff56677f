/** Which words carry no content of their own? */
import { words } from './words.ts';

const lists = {
  en: `a an the this that these those there here it its he she they them his her their we our us you your i my me
    is are was were be been being am do does did done doing has have had having will would shall should can could may
    might must of in on at by for from to into onto with without within about over under between among through during
    before after since until than then as if or and but not no nor so too very also only just both each any some all
    such other another same more most less least many much few own per via up down out off again once ever
    what which who whom whose when where why how whether because while s t d ll re ve dont doesnt didnt isnt`,
  ru: `и в во не на с со как а то все она так его но да ты к ко у же вы за бы по только ее мне было вот от меня еще нет
    о об из ему теперь даже ли если уже или ни быть был него до вас нибудь опять вам ведь там потом себя ничего ей
    они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет тогда кто этот
    того потому этого какой какая какое какие каких каким каком какого какую какими совсем ним здесь этом один почти
    мой тем чтобы нее сейчас были куда зачем всех можно при об этой перед между чья чье чей чьи эти эта это этих
    этим этими этому том тот та те той ту тех теми свой своей своего своих своя свое также который которая которое
    которые которых которого которой которому которым когда сколько почему откуда что чему чего кого кому кем является
    являются являлся являлась были будут лишь либо после из-за через около`,
  pl: `i w we na z ze do o od po przy za dla jest są był była było były być się nie tak jak czy co kto gdzie kiedy ile
    który która które których którego której którym jaki jaka jakie jakich jakim dlaczego to ten ta te tego tej tych
    tym oraz lub albo ale że aby żeby przez pod nad przed między bez jego jej ich ma mają może mogą a u`,
  de: `der die das des dem den ein eine einer eines einem einen und oder aber nicht kein keine ist sind war waren sein
    wird werden wurde wurden hat haben hatte hatten in im an am auf bei mit von vom zu zum zur für aus nach über unter
    vor durch um als wie was wer wen wem wann wo warum welche welcher welches welchem welchen wieviel wie viele es er
    sie wir ihr ich du sich auch nur noch so dass wenn kann können muss müssen soll sollen`,
  es: `el la los las un una unos unas de del al a en y o u e que qué cuál cuáles quién quiénes cuándo dónde cómo cuánto
    cuánta cuántos cuántas por para con sin sobre entre desde hasta es son era eran fue fueron ser estar está están ha
    han había no sí se su sus lo le les me mi tu te como más muy también pero si porque este esta estos estas ese esa
    eso esto`,
};

const functionWords: ReadonlySet<string> = new Set(
  Object.values(lists).flatMap((list) => words(list).map(({ word }) => word)),
);

/** Verbs and nouns that stand beside nearly everything; their forms as people ask. */
const lightWords: ReadonlySet<string> = new Set(
  words(`take takes took taken get gets got gotten give gives gave given make makes made use uses used put puts let lets
    go goes went gone hold holds held come comes came become becomes became need needs needed want wants have having keep keeps kept
    work works worked call called happen happens happened part thing things way kind type sort certain particular
    брать берет берут взять взял взяли дать дает дают дал дали давать получать получает получают получил делать делает
    делают сделать сделал иметь имеет имеют использовать используется используют нужно нужен нужна нужны надо должен
    должна должно должны следует называется называются можно положено положен происходит произошло находится вид тип
    nehmen nimmt nahm geben gibt gab machen macht gemacht bekommen bekommt brauchen braucht gehen geht kommt
    brać bierze dać daje robić robi zrobić mieć używać potrzeba trzeba należy
    tomar toma dar da hacer hace hizo tener tiene usar usa necesita`).map(({ word }) => word),
);

/** True for verbs such as "take" and nouns such as "kind", which say little of a question's matter; takes a folded word. */
export function isLightWord(word: string): boolean {
  return lightWords.has(word);
}

/** True for articles, pronouns, prepositions, auxiliaries and question words of the five languages; takes a folded word. */
export function isFunctionWord(word: string): boolean {
  return functionWords.has(word);
}
