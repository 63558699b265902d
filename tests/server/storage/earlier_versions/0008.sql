BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0008');
CREATE TABLE decks (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	faces TEXT NOT NULL, 
	used BIGINT NOT NULL, 
	CONSTRAINT pk_decks PRIMARY KEY (id)
);
INSERT INTO "decks" VALUES('up0GARhMB2kMrOJ8CCezUUmY','limes','["F T* R* W", "W R F R*", "F* W R* F", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"]',1795036881357);
INSERT INTO "decks" VALUES('QLxLM40Q-vV7sn6Urg1vLKV3','limes','["F* W R* F", "F T* R* W", "W R F R*", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"]',1795036881361);
CREATE TABLE events (
	"match" VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	seat INTEGER, 
	text TEXT NOT NULL, 
	turn_key VARCHAR(64), 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_events PRIMARY KEY ("match", number), 
	CONSTRAINT fk_events_match FOREIGN KEY("match") REFERENCES matches (id), 
	CONSTRAINT uq_events_match_turn_key UNIQUE ("match", turn_key)
);
INSERT INTO "events" VALUES('OuLehKjUC4rj',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "0319f01a56edb31829fc1d06168b8f58c3d44dde4701986a2acb5a0e1bff7806"}, {"kind": "person", "name": "Ben", "key_hash": "f0b890d005455d45c515114c88d11ea4c00242aa464fdcfac7504b010e7ba341"}, {"kind": "bot", "name": "novice", "bot": "novice"}]',NULL,1795036881365);
INSERT INTO "events" VALUES('OuLehKjUC4rj',1,'drawn',NULL,'5',NULL,1795036881366);
INSERT INTO "events" VALUES('OuLehKjUC4rj',2,'played',2,'d4r0 +se',NULL,1795036881370);
INSERT INTO "events" VALUES('OuLehKjUC4rj',3,'played',0,'d4r2 +nw','k0-0',1795036881372);
INSERT INTO "events" VALUES('OuLehKjUC4rj',4,'played',1,'d4r0 +se','k1-0',1795036881376);
INSERT INTO "events" VALUES('OuLehKjUC4rj',5,'drawn',NULL,'16',NULL,1795036881376);
INSERT INTO "events" VALUES('OuLehKjUC4rj',6,'played',0,'c5r3 +sw','k0-1',1795036881379);
INSERT INTO "events" VALUES('OuLehKjUC4rj',7,'played',2,'d5r1 +sw',NULL,1795036881380);
INSERT INTO "events" VALUES('OuLehKjUC4rj',8,'played',1,'c3r3','k1-1',1795036881383);
INSERT INTO "events" VALUES('OuLehKjUC4rj',9,'drawn',NULL,'2',NULL,1795036881383);
INSERT INTO "events" VALUES('OuLehKjUC4rj',10,'played',0,'b4r1 +se','k0-2',1795036881387);
INSERT INTO "events" VALUES('OuLehKjUC4rj',11,'played',2,'c4r0 +se',NULL,1795036881387);
INSERT INTO "events" VALUES('OuLehKjUC4rj',12,'played',1,'c4r1 +ne','k1-2',1795036881390);
INSERT INTO "events" VALUES('OuLehKjUC4rj',13,'drawn',NULL,'8',NULL,1795036881390);
INSERT INTO "events" VALUES('OuLehKjUC4rj',14,'played',0,'b5r1 b4.se>c5.ne','k0-3',1795036881394);
INSERT INTO "events" VALUES('OuLehKjUC4rj',15,'played',2,'d3r2 +sw',NULL,1795036881395);
INSERT INTO "events" VALUES('DSzetxSqkuX9',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "d15aa52ef74791a909ddecfbacfb5354fb925437c5d2d8a63c20e6d876c82154"}, {"kind": "person", "name": "Ben", "key_hash": "220eb7975ec94f6c5818ba97228b272c74bed5d2d269a44c719e84b75ea72733"}]',NULL,1795036881397);
INSERT INTO "events" VALUES('DSzetxSqkuX9',1,'drawn',NULL,'24',NULL,1795036881397);
INSERT INTO "events" VALUES('DSzetxSqkuX9',2,'played',1,'d4r2 +se','k1-0',1795036881400);
INSERT INTO "events" VALUES('DSzetxSqkuX9',3,'played',0,'d4r3','k0-0',1795036881403);
INSERT INTO "events" VALUES('DSzetxSqkuX9',4,'drawn',NULL,'8',NULL,1795036881403);
INSERT INTO "events" VALUES('DSzetxSqkuX9',5,'played',0,'e4r2 +nw','k0-1',1795036881405);
INSERT INTO "events" VALUES('DSzetxSqkuX9',6,'played',1,'d5r1 +nw','k1-1',1795036881408);
INSERT INTO "events" VALUES('DSzetxSqkuX9',7,'drawn',NULL,'3',NULL,1795036881408);
INSERT INTO "events" VALUES('DSzetxSqkuX9',8,'played',0,'d5r2 e4.nw>d4.se','k0-2',1795036881412);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "f004ae6abeb0e9be5c81eb55e634473392d538f422cc95f9643acc39605bfb76"}, {"kind": "person", "name": "Ben", "key_hash": "ef4004045180fcbe66525b958f9d82fdd5ed3853810c3509e635c11dc30425b1"}]',NULL,1795036881415);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',1,'drawn',NULL,'a4K b3R b4B b5R b6B c3Y c4K c5Y c6K d2B d3R d4B d5R e1Y e2K e3Y',NULL,1795036881416);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',2,'played',0,'d3-e3 xe1','k0-0',1795036881424);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',3,'played',1,'d2-c4 xe2','k1-0',1795036881427);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',4,'played',0,'b5-c6 xd3','k0-1',1795036881430);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',5,'played',1,'b4-c3 xe3','k1-1',1795036881432);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',6,'played',0,'b3-b4 xb5','k0-2',1795036881435);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',7,'played',1,'c3-d2 xa4','k1-2',1795036881438);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',8,'played',0,'b4-b3 xc5','k0-3',1795036881440);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',9,'played',1,'d2-b4 xd2','k1-3',1795036881443);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',10,'played',0,'c6-b6 xc3','k0-4',1795036881445);
INSERT INTO "events" VALUES('wdPN2hTOlgQm',11,'rematch',NULL,'7pYM9T6-4VTM',NULL,1795036881728);
INSERT INTO "events" VALUES('7pYM9T6-4VTM',0,'created',NULL,'[{"kind": "person", "name": "Ben", "key_hash": "ef4004045180fcbe66525b958f9d82fdd5ed3853810c3509e635c11dc30425b1"}, {"kind": "person", "name": "Ada", "key_hash": "f004ae6abeb0e9be5c81eb55e634473392d538f422cc95f9643acc39605bfb76"}]',NULL,1795036881727);
INSERT INTO "events" VALUES('7pYM9T6-4VTM',1,'drawn',NULL,'a5K a6Y b3R b4Y b5B c3B c4K d1K d2Y d3R e1R e2B e3K e4B f2Y f3R',NULL,1795036881728);
INSERT INTO "events" VALUES('7pYM9T6-4VTM',2,'played',0,'d3-f2 xa6','k0-0',1795036881735);
INSERT INTO "events" VALUES('7pYM9T6-4VTM',3,'played',1,'e2-e3 xc4','k1-0',1795036881738);
INSERT INTO "events" VALUES('7pYM9T6-4VTM',4,'played',0,'f2-d2 xd3','k0-1',1795036881742);
INSERT INTO "events" VALUES('6QrMtjJpbITp',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "86ea18fdca5fe63b5e4713827babe2dcf10ecf5a1d4db710c643b3d49a1dea6a"}, {"kind": "bot", "name": "novice", "bot": "novice"}]',NULL,1795036881745);
INSERT INTO "events" VALUES('6QrMtjJpbITp',1,'drawn',NULL,'a2B a3Y a5Y b1K b2R b3K b4R b5B b6R c1B c2Y c3B c4K c5Y c6B d3Y d4R d5K d6R e3K',NULL,1795036881745);
INSERT INTO "events" VALUES('6QrMtjJpbITp',2,'played',0,'d4-c5 xd3','k0-0',1795036881748);
INSERT INTO "events" VALUES('6QrMtjJpbITp',3,'played',1,'c6-d5 xc6',NULL,1795036881751);
INSERT INTO "events" VALUES('6QrMtjJpbITp',4,'played',0,'b4-c2 xb3','k0-1',1795036881773);
INSERT INTO "events" VALUES('6QrMtjJpbITp',5,'played',1,'c3-d4 xc4',NULL,1795036881776);
INSERT INTO "events" VALUES('6QrMtjJpbITp',6,'taken_back',0,'3',NULL,1795036881800);
INSERT INTO "events" VALUES('6QrMtjJpbITp',7,'played',0,'b4-e3 xb3','again',1795036881803);
INSERT INTO "events" VALUES('6QrMtjJpbITp',8,'played',1,'c3-d4 xc4',NULL,1795036881805);
INSERT INTO "events" VALUES('0dXDrp2VhfOJ',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "36cc1782cd9c36f0d59c8c2ba36240490dd4d795fd9d0b7e1cedf22cc1849e0f"}, {"kind": "bot", "name": "broken", "bot": "broken"}]',NULL,1795036881828);
INSERT INTO "events" VALUES('0dXDrp2VhfOJ',1,'drawn',NULL,'a3B a4K b2Y b3R b4Y b5R c2K c3B c4K d1B d2Y d3R d4Y e2B e3K f2R',NULL,1795036881828);
INSERT INTO "events" VALUES('0dXDrp2VhfOJ',2,'played',0,'b3-d4 xc2','k0-0',1795036881831);
INSERT INTO "events" VALUES('0dXDrp2VhfOJ',3,'replaced',1,'[{"kind": "bot", "name": "skilled", "bot": "skilled", "failed": {"bot": "broken", "how": "crashed", "at": 2}}]',NULL,1795036881947);
INSERT INTO "events" VALUES('0dXDrp2VhfOJ',4,'played',1,'a3-b4 xe3',NULL,1795036881951);
INSERT INTO "events" VALUES('Gonq_XFsXZp_',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "2cef711bb7d02a70cbd8591aa5521d5365a4d5e874fe159f32dc4a6ae0fa1c5d"}, {"kind": "open", "name": ""}, {"kind": "bot", "name": "master", "bot": "master"}]',NULL,1795036881967);
INSERT INTO "events" VALUES('8je_hhle664r',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "efd35e2ada2285eb78708927c87b0cd0f52511e3e72eb72e8db080e92e5b9240"}, {"kind": "open", "name": ""}, {"kind": "open", "name": ""}]',NULL,1795036881969);
INSERT INTO "events" VALUES('8je_hhle664r',1,'drawn',NULL,'a5K a6B b4R b5Y c3Y c4K c5B d2B d3R d4Y d5R e1R e2K e3B e4K e5Y',NULL,1795036881969);
INSERT INTO "events" VALUES('8je_hhle664r',2,'seated',2,'[{"kind": "person", "name": "Zo\u00eb", "key_hash": "3de5dde27578a27d932d445e2d841b5d29a619281c4bd0f526b9effb450f93c0"}]',NULL,1795036881971);
INSERT INTO "events" VALUES('GfK3PvZv9zoS',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "b1f4104fddfcd1aa4d96b33d2b90dbb8ac1a980b547a48cba021458f39096d27"}, {"kind": "person", "name": "Ben", "key_hash": "ad1ac89107017d59feaf8600c40d10a8f6d97ff3bfe4c3d3a83440cb5ff0d86b"}, {"kind": "bot", "name": "casual", "bot": "casual"}]',NULL,1795036881991);
INSERT INTO "events" VALUES('GfK3PvZv9zoS',1,'drawn',NULL,'a4R a5B b3K b4Y b5K b6R c3R c4B c5Y c6K d2B d3Y d4K d5R e1R e2K e3B e4Y f1B f2Y',NULL,1795036881991);
INSERT INTO "events" VALUES('GfK3PvZv9zoS',2,'played',0,'d5-d4 xc6','k0-0',1795036881994);
INSERT INTO "events" VALUES('GfK3PvZv9zoS',3,'played',1,'-','k1-0',1795036881997);
INSERT INTO "events" VALUES('GfK3PvZv9zoS',4,'played',2,'f2-e2 xf2',NULL,1795036881999);
INSERT INTO "events" VALUES('GfK3PvZv9zoS',5,'played',0,'c3-e1 xc3','k0-1',1795036882022);
INSERT INTO "events" VALUES('GfK3PvZv9zoS',6,'played',1,'a5-b5 xb6','k1-1',1795036882025);
INSERT INTO "events" VALUES('GfK3PvZv9zoS',7,'played',2,'b4-a5 xb4',NULL,1795036882027);
INSERT INTO "events" VALUES('kv9g4AySDb50',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "bf3b6c00b4faa37d1301721b55d375bd323aadfc79df9896ac4a83554237d83d"}, {"kind": "bot", "name": "master", "bot": "master"}]',NULL,1795036882028);
INSERT INTO "events" VALUES('kv9g4AySDb50',1,'drawn',NULL,'a6K b4K b5Y b6R b7B c3Y c4R c5B c6K c7R d2R d3B d4K d5Y d6B d7K e1B e2K e3Y e4R e5K e6Y f1Y f2R f3K f4Y f5B f6R g1B g2Y g3B h1R',NULL,1795036882028);
INSERT INTO "events" VALUES('kv9g4AySDb50',2,'played',0,'f2-f3 xc3','k0-0',1795036882032);
INSERT INTO "events" VALUES('kv9g4AySDb50',3,'played',1,'g3-e6 xg2',NULL,1795036882159);
INSERT INTO "events" VALUES('kv9g4AySDb50',4,'taken_back',0,'1',NULL,1795036882166);
INSERT INTO "events" VALUES('AYNQUeU8_uaA',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "c24c2ef5842437e31a5b4220c617ce1704914324278a3932b64d86daa448cfa3"}, {"kind": "bot", "name": "master", "bot": "master"}]',NULL,1795036882168);
INSERT INTO "events" VALUES('AYNQUeU8_uaA',1,'drawn',NULL,'a8K b6Y b7B b8R c4R c5B c6R c7K c8B d4Y d5K d6B d7Y e2B e3K e4B e5Y e6R e7B f2Y f3R f4K f5B f6Y f7R g3Y g4R g5K g6B h2R h3B h4Y h5R h6K h7Y i1K i2Y i3K i4B i5Y i6R i7K j1R j2B j3R j4K k2K k3Y',NULL,1795036882168);
INSERT INTO "events" VALUES('T1J72BXE6LUF',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "93b20a448554d1c92fcd5bb6ab5cc3e8049da6d39693ce676bd5d727de607f99"}, {"kind": "bot", "name": "master", "bot": "master"}, {"kind": "bot", "name": "master", "bot": "master"}]',NULL,1795036882171);
INSERT INTO "events" VALUES('T1J72BXE6LUF',1,'drawn',NULL,'8',NULL,1795036882171);
INSERT INTO "events" VALUES('mg871wfuwKWC',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "4fbd4210eccca5ca944cef34142171e7079e7d3728b3110f63280fb4d0b83aa9"}, {"kind": "bot", "name": "slow", "bot": "slow"}]',NULL,1795036882173);
INSERT INTO "events" VALUES('mg871wfuwKWC',1,'drawn',NULL,'20',NULL,1795036882173);
INSERT INTO "events" VALUES('jL25HwQdNm-G',0,'created',NULL,'[{"kind": "person", "name": "Ada", "key_hash": "c66a5e4651cc2f2fb162f3ba7e338189980dbe80b718e9bd46526b523c6068e9"}, {"kind": "bot", "name": "master", "bot": "master"}, {"kind": "bot", "name": "master", "bot": "master"}]',NULL,1795036882176);
INSERT INTO "events" VALUES('jL25HwQdNm-G',1,'drawn',NULL,'a4R a5Y b3Y b4K b5B b6R c2R c3B c4R c5K d1B d2K d3Y d4B d5R d6B e1Y e2B e3R e4K e5Y e6K f1R f2K f3Y f4B f5R g1Y g2B g3K g4Y g5K',NULL,1795036882176);
INSERT INTO "events" VALUES('mg871wfuwKWC',2,'played',0,'d4r2','k0-0',1795036882202);
INSERT INTO "events" VALUES('T1J72BXE6LUF',2,'played',1,'d4r0 +ne',NULL,1795036882382);
INSERT INTO "events" VALUES('T1J72BXE6LUF',3,'played',2,'d4r0',NULL,1795036882396);
INSERT INTO "events" VALUES('T1J72BXE6LUF',4,'played',0,'d4r2 +nw','k0-0',1795036882436);
INSERT INTO "events" VALUES('T1J72BXE6LUF',5,'drawn',NULL,'12',NULL,1795036882436);
INSERT INTO "events" VALUES('T1J72BXE6LUF',6,'played',2,'d5r0',NULL,1795036882595);
INSERT INTO "events" VALUES('T1J72BXE6LUF',7,'played',1,'d5r3 d4.ne>d4.nw',NULL,1795036882600);
INSERT INTO "events" VALUES('jL25HwQdNm-G',2,'played',0,'f1-f2 xg5','k0-0',1795036882666);
INSERT INTO "events" VALUES('AYNQUeU8_uaA',2,'played',0,'h2-i3 xj4','k0-0',1795036882668);
INSERT INTO "events" VALUES('kv9g4AySDb50',5,'played',0,'f6-f4 xa6','after',1795036882670);
INSERT INTO "events" VALUES('T1J72BXE6LUF',8,'played',0,'c4r1 d4.nw>c4.ne','k0-1',1795036882671);
INSERT INTO "events" VALUES('T1J72BXE6LUF',9,'drawn',NULL,'11',NULL,1795036882671);
INSERT INTO "events" VALUES('sAfVwN5Fxpjw',0,'created',NULL,'[{"kind": "bot", "name": "master", "bot": "master"}, {"kind": "person", "name": "Ada", "key_hash": "574198121d4f8743b36918b4ac25f0b2f65caa4217c3fedc8fca4c7233fd9c54"}]',NULL,1795036882673);
INSERT INTO "events" VALUES('sAfVwN5Fxpjw',1,'drawn',NULL,'a4K a5Y a6B a7Y b3B b4R b5K b6R b7B b8K c2R c3K c4Y c5B c6K c7Y d1B d2Y d3B d4K d5Y d6R d7B e1R e2K e3Y e4R e5K f2R f3B f4Y g3R',NULL,1795036882673);
INSERT INTO "events" VALUES('TYnCM90bL6-D',0,'created',NULL,'[{"kind": "bot", "name": "uct", "bot": "uct"}, {"kind": "bot", "name": "master", "bot": "master"}, {"kind": "person", "name": "Ada", "key_hash": "e85ef3e84c44bc6b113ff9c27e03fa9e8fa23e74b81e0024b1622fa04ff3d23b"}]',NULL,1795036882679);
INSERT INTO "events" VALUES('TYnCM90bL6-D',1,'drawn',NULL,'a10B b5R b9K b10R c4K c5B c6K c8R c9Y d4R d5Y d6R d7Y d8B e1B e2Y e3K e4B e5K e6B e7K e8Y f1K f2R f3Y f4R f5Y f6R g4B g5K g6B h5Y',NULL,1795036882679);
CREATE TABLE keys (
	key_hash VARCHAR(64) NOT NULL, 
	"match" VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	CONSTRAINT pk_keys PRIMARY KEY (key_hash, "match", seat), 
	CONSTRAINT fk_keys_match FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "keys" VALUES('0319f01a56edb31829fc1d06168b8f58c3d44dde4701986a2acb5a0e1bff7806','OuLehKjUC4rj',0);
INSERT INTO "keys" VALUES('f0b890d005455d45c515114c88d11ea4c00242aa464fdcfac7504b010e7ba341','OuLehKjUC4rj',1);
INSERT INTO "keys" VALUES('d15aa52ef74791a909ddecfbacfb5354fb925437c5d2d8a63c20e6d876c82154','DSzetxSqkuX9',0);
INSERT INTO "keys" VALUES('220eb7975ec94f6c5818ba97228b272c74bed5d2d269a44c719e84b75ea72733','DSzetxSqkuX9',1);
INSERT INTO "keys" VALUES('f004ae6abeb0e9be5c81eb55e634473392d538f422cc95f9643acc39605bfb76','wdPN2hTOlgQm',0);
INSERT INTO "keys" VALUES('ef4004045180fcbe66525b958f9d82fdd5ed3853810c3509e635c11dc30425b1','wdPN2hTOlgQm',1);
INSERT INTO "keys" VALUES('ef4004045180fcbe66525b958f9d82fdd5ed3853810c3509e635c11dc30425b1','7pYM9T6-4VTM',0);
INSERT INTO "keys" VALUES('f004ae6abeb0e9be5c81eb55e634473392d538f422cc95f9643acc39605bfb76','7pYM9T6-4VTM',1);
INSERT INTO "keys" VALUES('86ea18fdca5fe63b5e4713827babe2dcf10ecf5a1d4db710c643b3d49a1dea6a','6QrMtjJpbITp',0);
INSERT INTO "keys" VALUES('36cc1782cd9c36f0d59c8c2ba36240490dd4d795fd9d0b7e1cedf22cc1849e0f','0dXDrp2VhfOJ',0);
INSERT INTO "keys" VALUES('2cef711bb7d02a70cbd8591aa5521d5365a4d5e874fe159f32dc4a6ae0fa1c5d','Gonq_XFsXZp_',0);
INSERT INTO "keys" VALUES('efd35e2ada2285eb78708927c87b0cd0f52511e3e72eb72e8db080e92e5b9240','8je_hhle664r',0);
INSERT INTO "keys" VALUES('3de5dde27578a27d932d445e2d841b5d29a619281c4bd0f526b9effb450f93c0','8je_hhle664r',2);
INSERT INTO "keys" VALUES('b1f4104fddfcd1aa4d96b33d2b90dbb8ac1a980b547a48cba021458f39096d27','GfK3PvZv9zoS',0);
INSERT INTO "keys" VALUES('ad1ac89107017d59feaf8600c40d10a8f6d97ff3bfe4c3d3a83440cb5ff0d86b','GfK3PvZv9zoS',1);
INSERT INTO "keys" VALUES('bf3b6c00b4faa37d1301721b55d375bd323aadfc79df9896ac4a83554237d83d','kv9g4AySDb50',0);
INSERT INTO "keys" VALUES('c24c2ef5842437e31a5b4220c617ce1704914324278a3932b64d86daa448cfa3','AYNQUeU8_uaA',0);
INSERT INTO "keys" VALUES('93b20a448554d1c92fcd5bb6ab5cc3e8049da6d39693ce676bd5d727de607f99','T1J72BXE6LUF',0);
INSERT INTO "keys" VALUES('4fbd4210eccca5ca944cef34142171e7079e7d3728b3110f63280fb4d0b83aa9','mg871wfuwKWC',0);
INSERT INTO "keys" VALUES('c66a5e4651cc2f2fb162f3ba7e338189980dbe80b718e9bd46526b523c6068e9','jL25HwQdNm-G',0);
INSERT INTO "keys" VALUES('574198121d4f8743b36918b4ac25f0b2f65caa4217c3fedc8fca4c7233fd9c54','sAfVwN5Fxpjw',1);
INSERT INTO "keys" VALUES('e85ef3e84c44bc6b113ff9c27e03fa9e8fa23e74b81e0024b1622fa04ff3d23b','TYnCM90bL6-D',2);
CREATE TABLE matches (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	start TEXT NOT NULL, 
	options TEXT NOT NULL, 
	hidden BOOLEAN NOT NULL, 
	spectators BOOLEAN NOT NULL, 
	secret_order TEXT NOT NULL, 
	secret_salt VARCHAR(64) NOT NULL, 
	created BIGINT NOT NULL, 
	version INTEGER NOT NULL, 
	over BOOLEAN NOT NULL, bot_since BIGINT, 
	CONSTRAINT pk_matches PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('OuLehKjUC4rj','limes','{"options": {"diagonal": true, "ferryman": false}, "deck": ["W R F R*", "F T* R* W", "F* W R* F", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"], "draws": [], "turns": []}','{"diagonal": true}',1,0,'5,16,2,8,10,12,22,24,20,3,18,15,13,1,21,14,7,9,17,11,4,19,6,23','af3329fe639a6baa8514684697a5f8dd3f43000988f730a260e2ef7c636500ff',1795036881365,15,0,NULL);
INSERT INTO "matches" VALUES('DSzetxSqkuX9','limes','{"options": {"diagonal": false, "ferryman": true}, "deck": ["F* W R* F", "F T* R* W", "W R F R*", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"], "draws": [], "turns": []}','{"deck": ["F* W R* F", "F T* R* W", "W R F R*", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"], "ferryman": true}',0,1,'24,8,3,14,4,12,13,19,10,20,9,21,18,15,22,2,7,16,6,23,17,5,11,1','fc8bd29e198317305c0811eeb009cfef3a590aa76d99eac902966dc065ca48ce',1795036881397,8,0,NULL);
INSERT INTO "matches" VALUES('wdPN2hTOlgQm','limit','{"options": {"size": 4}, "layout": [], "turns": []}','{"size": 4}',0,1,'a4K b3R b4B b5R b6B c3Y c4K c5Y c6K d2B d3R d4B d5R e1Y e2K e3Y','0264c2c33df7384deeb113f67613cc6d4fbe89a9ed7d3e8d1e1672de77a2ffda',1795036881415,11,1,NULL);
INSERT INTO "matches" VALUES('7pYM9T6-4VTM','limit','{"options": {"size": 4}, "layout": [], "turns": []}','{"size": 4}',0,1,'a5K a6Y b3R b4Y b5B c3B c4K d1K d2Y d3R e1R e2B e3K e4B f2Y f3R','44fe45ae509ac83370564279a3e53f264ce8ce3764afb1a8d9b459e0eedf9b59',1795036881727,4,0,NULL);
INSERT INTO "matches" VALUES('6QrMtjJpbITp','limit','{"options": {"size": 5}, "layout": [], "turns": []}','{"size": 5}',0,1,'a2B a3Y a5Y b1K b2R b3K b4R b5B b6R c1B c2Y c3B c4K c5Y c6B d3Y d4R d5K d6R e3K','9782f402803bd4198b79df9b21c85fa99cad6aacba5b10e3a081c35d466acd81',1795036881745,8,0,NULL);
INSERT INTO "matches" VALUES('0dXDrp2VhfOJ','limit','{"options": {"size": 4}, "layout": [], "turns": []}','{"size": 4}',0,1,'a3B a4K b2Y b3R b4Y b5R c2K c3B c4K d1B d2Y d3R d4Y e2B e3K f2R','bbf71760ef88dcdeda2df035f10176b4509f764fa4462004a5095888019e4fec',1795036881828,4,0,NULL);
INSERT INTO "matches" VALUES('Gonq_XFsXZp_','limes','{"options": {"diagonal": false, "ferryman": false}, "deck": ["W R F R*", "F T* R* W", "F* W R* F", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"], "draws": [], "turns": []}','{}',0,1,'20,24,14,19,5,2,4,18,11,3,6,22,12,15,23,9,10,8,21,17,16,1,13,7','9a37df0bb79a31c137db7129ac300e9ae84152e528dc2f16865c8bad2ef58f7c',1795036881967,0,0,NULL);
INSERT INTO "matches" VALUES('8je_hhle664r','limit','{"options": {"size": 4}, "layout": [], "turns": []}','{"size": 4}',0,1,'a5K a6B b4R b5Y c3Y c4K c5B d2B d3R d4Y d5R e1R e2K e3B e4K e5Y','55842c6512cf0fe0c12a383d44b72cadc26bb85a6c8b845285ca00d4316ac4b9',1795036881969,2,0,NULL);
INSERT INTO "matches" VALUES('GfK3PvZv9zoS','limit','{"options": {"size": 5}, "layout": [], "turns": []}','{"size": 5}',0,1,'a4R a5B b3K b4Y b5K b6R c3R c4B c5Y c6K d2B d3Y d4K d5R e1R e2K e3B e4Y f1B f2Y','beccd006543432b79821370ea7d39b19ec229abb48feeb7500b67dc6e77adab4',1795036881991,7,0,NULL);
INSERT INTO "matches" VALUES('kv9g4AySDb50','limit','{"options": {"size": 8}, "layout": [], "turns": []}','{"size": 8}',0,1,'a6K b4K b5Y b6R b7B c3Y c4R c5B c6K c7R d2R d3B d4K d5Y d6B d7K e1B e2K e3Y e4R e5K e6Y f1Y f2R f3K f4Y f5B f6R g1B g2Y g3B h1R','cf215f59a2fb02803c23500e0d9cacf2f77e384193f861422ba9a5c8c4092dfc',1795036882028,5,0,1795036882670);
INSERT INTO "matches" VALUES('AYNQUeU8_uaA','limit','{"options": {"size": 12}, "layout": [], "turns": []}','{"size": 12}',0,1,'a8K b6Y b7B b8R c4R c5B c6R c7K c8B d4Y d5K d6B d7Y e2B e3K e4B e5Y e6R e7B f2Y f3R f4K f5B f6Y f7R g3Y g4R g5K g6B h2R h3B h4Y h5R h6K h7Y i1K i2Y i3K i4B i5Y i6R i7K j1R j2B j3R j4K k2K k3Y','153e6466360f235183ef09bb2c20b2228ed0a95308510de19b4116c4f1f289d9',1795036882168,2,0,1795036882668);
INSERT INTO "matches" VALUES('T1J72BXE6LUF','limes','{"options": {"diagonal": false, "ferryman": false}, "deck": ["W R F R*", "F T* R* W", "F* W R* F", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"], "draws": [], "turns": []}','{}',1,1,'8,12,11,22,20,10,6,17,19,16,7,15,2,4,24,13,23,9,1,14,21,3,18,5','c35ac484cc7103fee8a6745ae6891e95a802604005ba6a6ae5d5c0ccb25b2822',1795036882171,9,0,1795036882671);
INSERT INTO "matches" VALUES('mg871wfuwKWC','limes','{"options": {"diagonal": false, "ferryman": false}, "deck": ["W R F R*", "F T* R* W", "F* W R* F", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"], "draws": [], "turns": []}','{}',0,1,'20,10,19,11,13,23,16,1,6,22,18,4,2,12,21,24,8,7,17,15,5,14,3,9','8e3dd37b2d40fb980a6dc27800748e357804a95e188c3fff237f80b0d7bd51b9',1795036882173,2,0,1795036882202);
INSERT INTO "matches" VALUES('jL25HwQdNm-G','limit','{"options": {"size": 8}, "layout": [], "turns": []}','{"size": 8}',0,1,'a4R a5Y b3Y b4K b5B b6R c2R c3B c4R c5K d1B d2K d3Y d4B d5R d6B e1Y e2B e3R e4K e5Y e6K f1R f2K f3Y f4B f5R g1Y g2B g3K g4Y g5K','b8aa2ae10d095e52894f74829be66f8413be2877887be6af7619a88faff833c3',1795036882176,2,0,1795036882666);
INSERT INTO "matches" VALUES('sAfVwN5Fxpjw','limit','{"options": {"size": 8}, "layout": [], "turns": []}','{"size": 8}',0,1,'a4K a5Y a6B a7Y b3B b4R b5K b6R b7B b8K c2R c3K c4Y c5B c6K c7Y d1B d2Y d3B d4K d5Y d6R d7B e1R e2K e3Y e4R e5K f2R f3B f4Y g3R','829bdc8fa141a21677a3ef8fb59184bd4f9a1de2a013f912f3c1ef3999a497d6',1795036882673,1,0,1795036882673);
INSERT INTO "matches" VALUES('TYnCM90bL6-D','limit','{"options": {"size": 8}, "layout": [], "turns": []}','{"size": 8}',0,1,'a10B b5R b9K b10R c4K c5B c6K c8R c9Y d4R d5Y d6R d7Y d8B e1B e2Y e3K e4B e5K e6B e7K e8Y f1K f2R f3Y f4R f5Y f6R g4B g5K g6B h5Y','9eb0fdea3c561200772bca65d03eb7b065beaef40861545d2211764e5774c1bf',1795036882679,1,0,1795036882679);
CREATE TABLE reviews (
	"key" VARCHAR(80) NOT NULL, 
	version VARCHAR(40) NOT NULL, 
	made BIGINT NOT NULL, 
	lines BLOB NOT NULL, 
	CONSTRAINT pk_reviews PRIMARY KEY ("key")
);
INSERT INTO "reviews" VALUES('wdPN2hTOlgQm','0.1.0',1795036881724,X'789CBD564D6FA33010BDEFAFB07CD95D8922C03624B954DA9FB0D7550F063B2D2A81084893A8CA7FDF310EC12698B46AD44324628FE7E3F9CDF8BDE3F6B895788553F99C97D8C3EDAE2E1BBC5A7A7857E62D6C6CEB2AE5695EE4ED11B6F73C6FF3F219AFD6BC68E4E9C77B7F5E9D83FDA6955BBC0A3D5CEE36A9ACBBCF6DC18FEA33387F0A3017E441127490219C4965A30209F690517410AC5B5A5735B80DFC2459800BBE6E3B0F7E40220F17953A007B34863DB0CC94CF2E230F6F78FD0ADE1E1FC14DC64B910BDE4AA8E8DFBBCED10EF4C68BDD25CEC9B36C18E4474C1B16136AD8A4A4F363DB509A84239BBE4EC386B151AC2B1B92D0E8F4E4E15AF2A62ACFF9CB8305142A247F930D4AE1CCCF066DF9BE445589528AF679FB8222B4AEA514D5A641BF38F550467E7B485460B4AEAB0D223EC47B9547F058E49BBCF5B5B73E09083989D8FEA58295953EA242FA7F146DF2429DC029853F70046EE985C3A5107540AAABC43A057C0216F0BA55153D75207CAC28315154C63C24BFA128E12E4AA7601705B7C6B36C57F30CD2887CEAEA9268E89268E892D0EC9248332C32BAC45AD25D12FAC1A545BAEFBE41025777387B238D3BDE67B1C9C5659C987C553690426ADBD0C5C80428CDA969B2604964DB08320EB5882C1BA856D974D51A7ED8A8352CC4C3000A77614E06CCC9F4644A811631D0820C98DB4BFD640ACCB1F425CCF5ACB1C10A0C142499402A184D10956034E3A11B31642E44741DC28D320BFDC805321D40A6D3C44EE9904F0FB2B5747762675413DB00399C2D7096466CA8903968441E52D524CCA8D05ABA3F8DC80D1A65F10D03718B881082AB0A9C343A9738F6E046394E7CE602391E408EA7699469D676E1CE20DB4BF7A71114A85A91DD8546C95061E2A0111DE20D8D622CDD9F46BA0FDD777C66C90C097482E92D228E3DB8414C981FBB305C0C182E9CAFA822A518BDA2E4FC844DB1C4C030746338A7318D002E9E0CDAA74FB0D73EB514A69E235AFA54A5ECC50F681F5BF7449FD03D061CD7BAE7AF29E688D63DE159F74486EE710BB971316721F75C57BB2DAAD688200E9FA5B8E8D46FA9CB16A9A044E1D7EBBACFD6A76F16657C0BA1ADEB6AD47DC1530C9C40828D73EF0F38B2BF1066FE56B2183267B7D3FB389752FA05CC3F98F50C976050B8F533B4BE53672C87D65F4E8F4F983480C421337486BD747F014DAEC6E7FC03B108AC175096027760E055B92B0AC851F58AFE73FAF11F0E97B7C3');
CREATE INDEX ix_reviews_made ON reviews (made);
CREATE INDEX ix_matches_bot_since ON matches (bot_since) WHERE bot_since IS NOT NULL;
CREATE INDEX ix_decks_used ON decks (used);
COMMIT;
