BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE matches (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	start TEXT NOT NULL, 
	hidden BOOLEAN NOT NULL, 
	secret_order TEXT NOT NULL, 
	secret_salt VARCHAR(64) NOT NULL, 
	created BIGINT NOT NULL, 
	changes INTEGER NOT NULL, 
	over BOOLEAN NOT NULL, 
	rematch VARCHAR(32), spectators BOOLEAN DEFAULT 1 NOT NULL, 
	CONSTRAINT pk_matches PRIMARY KEY (id), 
	CONSTRAINT fk_matches_rematch FOREIGN KEY(rematch) REFERENCES matches (id)
);
INSERT INTO "matches" VALUES('kg4ChlYAWtwF','limes','{"options": {"diagonal": true, "ferryman": false}, "deck": ["W R F R*", "F T* R* W", "F* W R* F", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"], "draws": [], "turns": [], "chosen": {"diagonal": true}}',1,'11,19,8,16,18,23,13,9,1,4,3,12,24,10,2,20,14,6,5,21,7,22,17,15','1da9b1c47da66ada8ad39555cadaeef40f4084ff6a7022c2cc6f53383410243e',1794882969927,2,0,NULL,0);
INSERT INTO "matches" VALUES('8krGneZVXNak','limit','{"options": {"size": 4}, "layout": ["a2R", "a3K", "a4Y", "b1Y", "b2B", "b3R", "b4K", "c1R", "c2Y", "c3B", "c4Y", "d1B", "d2R", "d3K", "d4B", "e1K"], "turns": [], "chosen": {"size": 4}}',0,'','ff5fb54e0e477f8b138355aa2b4ad0374815ee2731d4ce8833628c748cb5729b',1794882970017,2,1,'DpkfxRAhtXGh',1);
INSERT INTO "matches" VALUES('5LrvGyILfxoQ','limes','{"options": {"diagonal": false, "ferryman": false}, "deck": ["W R F R*", "F T* R* W", "F* W R* F", "R R F W", "W R* R* W", "W T* T* R", "W T* R* R", "T* W F F*", "F R W F", "T F T* F*", "R* R F T", "R F* F W", "W T* T* W", "T R R T", "F F* T T", "W F W F*", "R R W F", "T* W T W", "W F W R", "R F* W W", "T* W F T", "W T* F* W", "W R R* W", "R F T* F*"], "draws": [], "turns": [], "chosen": {}}',0,'12,9,20,17,13,3,22,8,6,11,24,23,15,18,1,14,5,16,2,10,7,4,21,19','7350b2443cfa2d40894b98c5caf16c27c595b5dcffb9eece44be6f384d0721f2',1794882970179,2,0,NULL,1);
INSERT INTO "matches" VALUES('9fy8QiRWozMv','limit','{"options": {"size": 5}, "layout": ["a4K", "a5Y", "b3R", "b4B", "b5K", "b6Y", "c3K", "c4Y", "c5B", "c6R", "d2R", "d3B", "d4R", "d5K", "d6B", "e1B", "e2Y", "e3K", "e4Y", "e5R"], "turns": [], "chosen": {"size": 5}}',0,'','6dfedc271d1e885506d110481876f51684544cd414b573368aafdc2fefc28150',1794882970336,0,0,NULL,1);
INSERT INTO "matches" VALUES('DpkfxRAhtXGh','limit','{"options": {"size": 4}, "layout": ["a4K", "a5B", "b2K", "b3B", "b4Y", "b5R", "c1R", "c2Y", "c3R", "c4B", "d1B", "d2K", "d3Y", "d4K", "e1Y", "e2R"], "turns": [], "chosen": {"size": 4}}',0,'','439975b79f945ad832f82dbb7b84139c90f67346881686305ee8a29fd7de6003',1794882972703,0,0,NULL,1);
CREATE TABLE reviews (
	"key" VARCHAR(80) NOT NULL, 
	version VARCHAR(40) NOT NULL, 
	made BIGINT NOT NULL, 
	lines BLOB NOT NULL, 
	CONSTRAINT pk_reviews PRIMARY KEY ("key")
);
CREATE TABLE seats (
	"match" VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(6) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	bot VARCHAR(40), 
	key_hash VARCHAR(64), failed_bot VARCHAR(40), failed_how VARCHAR(10), failed_at INTEGER, 
	CONSTRAINT pk_seats PRIMARY KEY ("match", seat), 
	CONSTRAINT fk_seats_match FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "seats" VALUES('kg4ChlYAWtwF',0,'person','Ada',NULL,'6097aa5073ab84bacf90bb89cf0576548fbcfe9531ce38355c75b4193e74b6ee',NULL,NULL,NULL);
INSERT INTO "seats" VALUES('kg4ChlYAWtwF',1,'person','Ben',NULL,'aaf9be0a56adad19d192df37a4691f83e6dc66614892c121ea4dea940c8ecbe7',NULL,NULL,NULL);
INSERT INTO "seats" VALUES('kg4ChlYAWtwF',2,'bot','novice','novice',NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES('8krGneZVXNak',0,'person','Ada',NULL,'cccf8217567e403b94e71d64cc9598e2578cacf23f25f726c938f21bed2debd5',NULL,NULL,NULL);
INSERT INTO "seats" VALUES('8krGneZVXNak',1,'bot','skilled','skilled',NULL,'careful','gone',5);
INSERT INTO "seats" VALUES('5LrvGyILfxoQ',0,'person','Ada',NULL,'a8d0f6f81464ef536bf65e64234a1cd1d24010fb7628a92b53682565f04c30f8',NULL,NULL,NULL);
INSERT INTO "seats" VALUES('5LrvGyILfxoQ',1,'bot','skilled','skilled',NULL,'careful','gone',21);
INSERT INTO "seats" VALUES('5LrvGyILfxoQ',2,'bot','skilled','skilled',NULL,'solid','gone',13);
INSERT INTO "seats" VALUES('9fy8QiRWozMv',0,'person','Ada',NULL,'0466bf613bafb8524498bab9ea2299e9ca96df1f3e80185398bfc169f04d679c',NULL,NULL,NULL);
INSERT INTO "seats" VALUES('9fy8QiRWozMv',1,'open','',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES('DpkfxRAhtXGh',0,'bot','skilled','skilled',NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES('DpkfxRAhtXGh',1,'person','Ada',NULL,'cccf8217567e403b94e71d64cc9598e2578cacf23f25f726c938f21bed2debd5',NULL,NULL,NULL);
CREATE TABLE steps (
	"match" VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	player INTEGER, 
	text VARCHAR(100) NOT NULL, 
	turn_key VARCHAR(64), 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_steps PRIMARY KEY ("match", number), 
	CONSTRAINT fk_steps_match FOREIGN KEY("match") REFERENCES matches (id), 
	CONSTRAINT uq_steps_match_turn_key UNIQUE ("match", turn_key)
);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',0,NULL,'11',NULL,1794882969945);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',1,2,'d4r0 +se',NULL,1794882969948);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',2,1,'d4r0 +se','k1-0',1794882969992);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',3,0,'d4r3 +sw','k0-0',1794882969994);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',4,NULL,'19',NULL,1794882969994);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',5,2,'d5r0 +ne',NULL,1794882969997);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',6,1,'e5r0 d4.se>d4.sw','k1-1',1794882969998);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',7,0,'d5r3 +sw','k0-1',1794882970001);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',8,NULL,'8',NULL,1794882970001);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',9,1,'d3r0 +se','k1-2',1794882970005);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',10,2,'d6r0 +nw',NULL,1794882970005);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',11,0,'c4r0 d5.sw>d5.nw','k0-2',1794882970007);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',12,NULL,'16',NULL,1794882970007);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',13,2,'c5r3 +sw',NULL,1794882970010);
INSERT INTO "steps" VALUES('kg4ChlYAWtwF',14,1,'e2r2 d3.se>d3.ne','k1-3',1794882970011);
INSERT INTO "steps" VALUES('8krGneZVXNak',0,0,'d2-d3 xb1','k0-0',1794882970031);
INSERT INTO "steps" VALUES('8krGneZVXNak',1,1,'d4-b4 xd2',NULL,1794882970170);
INSERT INTO "steps" VALUES('8krGneZVXNak',2,0,'c1-c2 xa4','k0-1',1794882970173);
INSERT INTO "steps" VALUES('8krGneZVXNak',3,1,'d1-c1 xd1',NULL,1794882970176);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',0,NULL,'12',NULL,1794882970179);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',1,0,'d4r3','k0-0',1794882970189);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',2,1,'d4r0 +sw',NULL,1794882970322);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',3,2,'d4r2 +nw',NULL,1794882970325);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',4,NULL,'9',NULL,1794882970325);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',5,0,'e4r1 +sw','k0-1',1794882970328);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',6,1,'c4r2 +nw',NULL,1794882970330);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',7,2,'c4r2 +se',NULL,1794882970332);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',8,NULL,'20',NULL,1794882970332);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',9,1,'d5r3 +ne',NULL,1794882970339);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',10,2,'d3r1 +se',NULL,1794882970344);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',11,0,'e5r0 e4.sw>d4.ne','k0-2',1794882971376);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',12,NULL,'17',NULL,1794882971376);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',13,2,'e3r1 d4.nw>c4.nw',NULL,1794882971388);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',14,1,'e4r2 +nw',NULL,1794882971521);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',15,0,'c4r2 d4.ne>e4.ne','k0-3',1794882971524);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',16,NULL,'13',NULL,1794882971524);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',17,2,'c5r1 c4.se>c5.ne',NULL,1794882971526);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',18,1,'e5r2 +ne',NULL,1794882971529);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',19,0,'d3r1 e4.ne>e4.se','k0-4',1794882972617);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',20,NULL,'3',NULL,1794882972617);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',21,2,'b4r3 +ne',NULL,1794882972624);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',22,1,'c3r3 e5.ne>d4.se',NULL,1794882972628);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',23,0,'d5r2 e4.se>d4.se','k0-5',1794882972631);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',24,NULL,'22',NULL,1794882972631);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',25,1,'e6r3 +ne',NULL,1794882972634);
INSERT INTO "steps" VALUES('5LrvGyILfxoQ',26,2,'c6r0 +nw',NULL,1794882972634);
INSERT INTO "steps" VALUES('8krGneZVXNak',4,0,'a2-a3 xa2','k0-2',1794882972646);
INSERT INTO "steps" VALUES('8krGneZVXNak',5,1,'b4-c4 xb2',NULL,1794882972670);
INSERT INTO "steps" VALUES('8krGneZVXNak',6,0,'d3-d4 xd3','k0-3',1794882972673);
INSERT INTO "steps" VALUES('8krGneZVXNak',7,1,'c4-b4 xc1',NULL,1794882972676);
INSERT INTO "steps" VALUES('DpkfxRAhtXGh',0,0,'b5-b4 xb5',NULL,1794882972708);
INSERT INTO "steps" VALUES('DpkfxRAhtXGh',1,1,'c4-c2 xc4','k1-0',1794882972712);
INSERT INTO "steps" VALUES('DpkfxRAhtXGh',2,0,'e2-d2 xa4',NULL,1794882972723);
CREATE INDEX ix_seats_key_hash ON seats (key_hash);
CREATE INDEX ix_reviews_made ON reviews (made);
COMMIT;
